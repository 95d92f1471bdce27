/** Rows of a query as a table: which columns there are, and in which order the rows are shown. Pure. */

interface RowTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Of rows that are no objects. */
const only = "value";

/** Columns in the order in which rows have them; the first rows decide. */
export const toTable = (values: readonly unknown[]): RowTable => {
  const columns = new Set<string>();
  for (const value of values.slice(0, 200)) {
    if (isPlain(value)) for (const name of Object.keys(value)) columns.add(name);
    else columns.add(only);
  }
  const names = [...columns];
  return {
    columns: names,
    rows: values.map((value) =>
      names.map((name) => (isPlain(value) ? value[name] : name === only ? value : undefined)),
    ),
  };
};

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Places of the rows in the order of a column; equal ones stay as they came. */
export const sortRows = ({ rows }: RowTable, column: number, isDescending: boolean): readonly number[] => {
  const places = rows.map((_, index) => index);
  const sign = isDescending ? -1 : 1;
  return places.toSorted((a, b) => sign * compareCells(rows[a]?.[column], rows[b]?.[column]) || a - b);
};

/** Numbers by size, texts by letters, nothing last. */
const compareCells = (a: unknown, b: unknown): number => {
  if (a === b) return 0;
  if (a === undefined || a === null) return 1;
  if (b === undefined || b === null) return -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [toText(a), toText(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

const toText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The rows that are seen, with some above and below. */
export const visibleRange = (
  top: number,
  height: number,
  of: { readonly rows: number; readonly rowHeight: number },
) => {
  const spare = 8;
  const first = Math.max(0, Math.floor(top / of.rowHeight) - spare);
  const last = Math.min(of.rows, Math.ceil((top + height) / of.rowHeight) + spare);
  return { first: Math.min(first, Math.max(0, of.rows - 1)), last };
};
