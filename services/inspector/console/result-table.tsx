/** Rows of a query in a table of which only what is seen is drawn, sorted by a click on a column; a row opens below it as a tree. */
import { Button, JsonTree } from "@fairlead/console/kit";
import { useMemo, useState } from "react";
import { sortRows, toTable, visibleRange } from "./row-table.ts";
import { shortText } from "./value-text.ts";

const rowHeight = 28;
const mostHeight = 420;

interface SortOrder {
  readonly column: number;
  readonly isDescending: boolean;
}

export const ResultTable = ({ values }: { readonly values: readonly unknown[] }) => {
  const table = useMemo(() => toTable(values), [values]);
  const [sort, setSort] = useState<SortOrder>();
  const [top, setTop] = useState(0);
  const [open, setOpen] = useState<number>();
  const order = useMemo(
    () => (sort === undefined ? table.rows.map((_, index) => index) : sortRows(table, sort.column, sort.isDescending)),
    [table, sort],
  );
  const { first, last } = visibleRange(top, mostHeight, { rows: order.length, rowHeight });
  const isNumber = table.columns.map((_, column) =>
    table.rows.slice(0, 50).every((row) => typeof row[column] === "number"),
  );
  return (
    <>
      {/* Scrolls, so it can be focused and read by keyboard. */}
      <section
        className="overflow-auto"
        style={{ maxHeight: mostHeight }}
        tabIndex={0}
        aria-label="Rows"
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      >
        <table aria-rowcount={order.length + 1} className="w-full text-left text-xs">
          <thead className="sticky bg-card" style={{ top: 0 }}>
            <tr aria-rowindex={1}>
              {table.columns.map((name, column) => (
                <th
                  key={name}
                  scope="col"
                  aria-sort={sort?.column !== column ? "none" : sort.isDescending ? "descending" : "ascending"}
                  className={`border-b border-line px-3 whitespace-nowrap ${isNumber[column] === true ? "text-right" : ""}`}
                >
                  <button
                    type="button"
                    className="cursor-pointer py-2 font-semibold"
                    onClick={() => setSort({ column, isDescending: sort?.column === column && !sort.isDescending })}
                  >
                    {name}
                    <span aria-hidden="true">{sort?.column !== column ? "" : sort.isDescending ? " ↓" : " ↑"}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="font-mono">
            <Gap height={first * rowHeight} columns={table.columns.length} />
            {order.slice(first, last).map((place, index) => (
              <tr
                key={place}
                aria-rowindex={first + index + 2}
                className={`cursor-pointer border-b border-line hover:bg-sunk ${place === open ? "bg-accent-soft" : ""}`}
                style={{ height: rowHeight }}
                onClick={() => setOpen(place === open ? undefined : place)}
              >
                {table.rows[place]?.map((cell, column) => (
                  <td
                    key={table.columns[column]}
                    className={`tabular truncate px-3 whitespace-nowrap ${isNumber[column] === true ? "text-right" : ""}`}
                    style={{ maxWidth: "22rem" }}
                    title={shortText(cell ?? "", 400)}
                  >
                    {cell === undefined ? "" : shortText(cell, 120)}
                  </td>
                ))}
              </tr>
            ))}
            <Gap height={(order.length - last) * rowHeight} columns={table.columns.length} />
          </tbody>
        </table>
      </section>
      {open !== undefined && (
        <div className="flex flex-col gap-2 border-t border-line p-4">
          <JsonTree value={values[open]} name={`row ${open + 1}`} />
          <Button className="self-start" onClick={() => setOpen(undefined)}>
            Close the row
          </Button>
        </div>
      )}
    </>
  );
};

const Gap = ({ height, columns }: { readonly height: number; readonly columns: number }) =>
  height <= 0 ? null : (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
