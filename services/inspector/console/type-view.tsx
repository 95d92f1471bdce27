/** A type: its members, its base, its attributes; of a struct where each field lies in memory, of an enum its numbers. */
import { Badge, Card, Empty, ErrorNote, Mono, readCallError } from "@fairlead/console/kit";
import { api, type Exploration, type ObjectEntry, readEntries } from "./api.ts";
import { parseOffset, typeName } from "./value-text.ts";

export const TypeView = ({ type, onType }: { readonly type: string; readonly onType: (type: string) => void }) => {
  const { data, error } = api.useQuery(
    "explore",
    { target: `type:${type}`, depth: 1, limit: 500 },
    { enabled: type !== "" },
  );
  if (type === "")
    return (
      <Card>
        <Empty title="No type is chosen">Choose the type beside a value of the tree, or search for one.</Empty>
      </Card>
    );
  if (error !== null) return <ErrorNote {...readCallError(error)} />;
  if (data === undefined) return <p className="text-soft">Asking…</p>;
  const entries = readEntries(data);
  return (
    <Card title={<Mono>{data.type ?? type}</Mono>} actions={<Badge tone="accent">{data.kind ?? "type"}</Badge>}>
      <Facts data={data} onType={onType} />
      {data.size !== undefined && entries.some(({ offset }) => offset !== "") && (
        <Layout size={data.size} entries={entries} />
      )}
      {data.values !== undefined && <EnumValues values={data.values} />}
      {entries.length > 0 && <Members entries={entries} onType={onType} />}
      {(data.methods ?? []).length > 0 && (
        <details className="border-t border-line p-4">
          <summary className="cursor-pointer text-sm font-medium">Methods: {data.methods?.length}</summary>
          <ul className="mt-2 font-mono text-xs">
            {data.methods?.map(({ signature, callable }) => (
              <li key={signature} className="flex items-baseline gap-2 py-1 break-words">
                <span className="min-w-0 break-words">{signature}</span>
                {callable === true && <Badge tone="good">can be called</Badge>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
};

const Facts = ({ data, onType }: { readonly data: Exploration; readonly onType: (type: string) => void }) => {
  const attributes = (data.attributes ?? []).map(({ name, args }) => {
    const given = Object.entries(args).map(
      ([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    return given.length === 0 ? name : `${name}(${given.join(", ")})`;
  });
  return (
    <div className="flex flex-wrap gap-4 px-4 py-3 text-sm">
      {data.base !== undefined && (
        <span>
          <span className="text-soft">based on </span>
          <TypeLink type={data.base} onType={onType} />
        </span>
      )}
      {data.size !== undefined && (
        <span>
          <span className="text-soft">size </span>
          <span className="tabular">{data.size} bytes</span>
        </span>
      )}
      {data.underlying !== undefined && (
        <span>
          <span className="text-soft">numbers are </span>
          <Mono>{data.underlying}</Mono>
        </span>
      )}
      {attributes.map((attribute) => (
        <Mono key={attribute}>[{attribute}]</Mono>
      ))}
    </div>
  );
};

const TypeLink = ({ type, onType }: { readonly type: string; readonly onType: (type: string) => void }) => (
  <button
    type="button"
    title={type}
    onClick={() => onType(type)}
    className="cursor-pointer font-mono text-xs underline"
  >
    {typeName(type)}
  </button>
);

/** Fields of a struct in its memory, and what lies unknown between them. */
const Layout = ({ size, entries }: { readonly size: number; readonly entries: readonly ObjectEntry[] }) => {
  const fields = entries
    .map(({ name, offset, size: bytes }) => ({ name, begin: parseOffset(offset), bytes: bytes ?? 0 }))
    .filter(({ begin, bytes }) => !Number.isNaN(begin) && bytes > 0)
    .toSorted((a, b) => a.begin - b.begin);
  return (
    <figure className="px-4 pb-3">
      <figcaption className="mb-1 text-xs text-soft">
        Memory, {fields.length} fields in {size} bytes; grey is unknown
      </figcaption>
      <svg
        viewBox={`0 0 ${size} 12`}
        preserveAspectRatio="none"
        width="100%"
        height="28"
        role="img"
        aria-label={`${fields.length} fields in ${size} bytes`}
      >
        <rect x="0" y="0" width={size} height="12" fill="var(--color-sunk)" />
        {fields.map(({ name, begin, bytes }, index) => (
          <rect
            key={`${name} ${begin}`}
            x={begin}
            y="0"
            width={Math.max(bytes, size / 400)}
            height="12"
            fill={index % 2 === 0 ? "var(--color-accent)" : "var(--color-key)"}
            stroke="var(--color-card)"
            strokeWidth={size / 600}
          >
            <title>
              {name}: 0x{begin.toString(16)}, {bytes} bytes
            </title>
          </rect>
        ))}
      </svg>
    </figure>
  );
};

const EnumValues = ({ values }: { readonly values: Readonly<Record<string, number>> }) => (
  <ul className="grid gap-x-3 gap-y-1 border-t border-line p-4 font-mono text-xs sm:grid-cols-2 lg:grid-cols-3">
    {Object.entries(values).map(([name, value]) => (
      <li key={name} className="flex justify-between gap-2">
        <span className="min-w-0 truncate">{name}</span>
        <span className="tabular text-soft">{value}</span>
      </li>
    ))}
  </ul>
);

const Members = ({
  entries,
  onType,
}: {
  readonly entries: readonly ObjectEntry[];
  readonly onType: (type: string) => void;
}) => {
  const hasLayout = entries.some(({ offset }) => offset !== "");
  return (
    <section
      className="overflow-auto border-t border-line"
      style={{ maxHeight: "28rem" }}
      tabIndex={0}
      aria-label="Members"
    >
      <table className="w-full text-left text-xs">
        <thead className="sticky bg-card" style={{ top: 0 }}>
          <tr>
            {[...(hasLayout ? ["Offset", "Bytes"] : []), "Name", "Type", "Kind", "Access"].map((title) => (
              <th key={title} scope="col" className="border-b border-line px-4 py-2 font-medium text-soft">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="font-mono">
          {entries.map(({ name, type, kind, access, offset, size }) => (
            <tr key={`${name} ${kind}`} className="border-b border-line">
              {hasLayout && (
                <>
                  <td className="tabular px-4 py-1">{offset}</td>
                  <td className="tabular px-4 py-1">{size}</td>
                </>
              )}
              <td className="px-4 py-1">{name}</td>
              <td className="px-4 py-1">
                <TypeLink type={type} onType={onType} />
              </td>
              <td className="px-4 py-1 text-soft">{kind}</td>
              <td className="px-4 py-1 text-soft">{access}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
