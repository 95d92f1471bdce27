/** The answer of a call: as its service shows it, as a tree, as a table where it is a list of objects, or as JSON; the events of a stream as they come. */
import { Tabs } from "@base-ui/react/tabs";
import type { VerbView } from "@fairlead/contracts/view";
import type { ReactNode } from "react";
import { isRecord } from "../schema/schema.ts";
import { duration } from "../text/relative-time.ts";
import { JsonTree } from "../ui/json-tree.tsx";
import { Badge, CodeBlock, Empty, ErrorNote } from "../ui/parts.tsx";
import type { CallOutcome } from "./run.ts";
import { ServiceView, viewBlock } from "./service-view.tsx";

interface ResultProps {
  readonly outcome: CallOutcome;
  /** How the contract shows an answer. */
  readonly view: VerbView | undefined;
}

export const Result = ({ outcome, view }: ResultProps) => {
  if (outcome.kind === "none")
    return <Empty title="Nothing has run yet">Fill in the form, or take an example, and press Run.</Empty>;
  return (
    <div className="flex flex-col gap-3 p-4" aria-live="polite">
      <p className="flex items-center gap-2" role="status">
        {outcome.kind === "running" && <Badge tone="accent">Running</Badge>}
        {outcome.kind === "failed" && <Badge tone="bad">Failed</Badge>}
        {(outcome.kind === "done" || outcome.kind === "stream") && <Badge tone="good">Done</Badge>}
        {outcome.kind !== "running" && <span className="tabular text-sm text-soft">{duration(outcome.ms)}</span>}
      </p>
      {outcome.kind === "failed" && <Failure error={outcome.error} />}
      {outcome.kind === "done" && <Value value={outcome.value} view={view} />}
      {"items" in outcome && outcome.items.length > 0 && <Items items={outcome.items} />}
    </div>
  );
};

const Failure = ({ error }: { readonly error: Extract<CallOutcome, { kind: "failed" }>["error"] }) => (
  <>
    <ErrorNote code={error.reason ?? error.code} message={error.message} hint={error.hint} />
    {error.issues !== undefined && (
      <ul className="list-disc pl-5 text-sm">
        {error.issues.map(({ path, expected, fix }) => (
          <li key={`${path} ${expected}`}>
            <span className="font-mono text-xs">{path}</span>: expected {expected}; {fix}
          </li>
        ))}
      </ul>
    )}
    {error.data !== undefined && <JsonTree value={error.data} />}
  </>
);

/** The newest first: what comes is seen without scrolling. */
const Items = ({ items }: { readonly items: readonly unknown[] }) => (
  <ol className="flex flex-col gap-2" aria-label="Events of the stream">
    {items
      .map((item, index) => ({ item, number: index + 1 }))
      .slice(-50)
      .toReversed()
      .map(({ item, number }) => (
        <li key={number} className="rounded-md border border-line p-2">
          <span className="tabular text-xs text-soft">{number}</span>
          <JsonTree value={item} />
        </li>
      ))}
  </ol>
);

interface ValueProps {
  readonly value: unknown;
  readonly view: VerbView | undefined;
}

const Value = ({ value, view }: ValueProps) => {
  const rows = findRows(value);
  const block = view === undefined ? undefined : viewBlock(view, value);
  const parts: readonly (readonly [title: string, content: ReactNode])[] = [
    ...(block === undefined ? [] : [["View", <ServiceView key="view" block={block} />] as const]),
    ["Tree", <JsonTree key="tree" value={value} />],
    ...(rows === undefined ? [] : [["Table", <Table key="table" rows={rows} />] as const]),
    ["JSON", <CodeBlock key="json" text={JSON.stringify(value, undefined, 2)} label="Answer as JSON" />],
  ];
  return (
    <Tabs.Root key={block === undefined ? "plain" : "viewed"} defaultValue={parts[0]?.[0]}>
      <Tabs.List className="mb-2 flex gap-1">
        {parts.map(([title]) => (
          <Tabs.Tab
            key={title}
            value={title}
            className="h-7 rounded-md px-2.5 text-sm text-soft hover:bg-sunk data-[active]:bg-accent-soft data-[active]:text-accent"
          >
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {parts.map(([title, content]) => (
        <Tabs.Panel key={title} value={title} className="overflow-x-auto">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
};

type Row = Readonly<Record<string, unknown>>;

/** The first list of objects in a value, itself or one of its fields. */
const findRows = (value: unknown): readonly Row[] | undefined => {
  const lists = Array.isArray(value) ? [value] : isRecord(value) ? Object.values(value).filter(Array.isArray) : [];
  return lists.find((list): list is Row[] => list.length > 0 && list.every(isRecord));
};

const mostRows = 200;

const Table = ({ rows }: { readonly rows: readonly Row[] }) => {
  const names = [...new Set(rows.slice(0, mostRows).flatMap((row) => Object.keys(row)))].slice(0, 12);
  const cell = (value: unknown): string =>
    value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return (
    <section
      className="max-h-96 overflow-auto rounded-md border border-line"
      tabIndex={0}
      aria-label="Answer as a table"
    >
      <table className="w-full text-left text-xs">
        <thead className="sticky top-0 bg-sunk">
          <tr>
            {names.map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 font-mono font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.slice(0, mostRows).map((row, index) => (
            // Rows of an answer have no name but their place.
            <tr key={index}>
              {names.map((name) => (
                <td
                  key={name}
                  className={`max-w-64 truncate px-3 py-1 ${typeof row[name] === "number" ? "tabular text-right" : ""}`}
                  title={cell(row[name])}
                >
                  {cell(row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostRows && (
        <p className="p-2 text-soft">
          The first {mostRows} of {rows.length}.
        </p>
      )}
    </section>
  );
};
