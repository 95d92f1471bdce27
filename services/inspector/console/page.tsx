/**
 * The page of live objects in the console: their tree, types and layouts, expressions and queries, and what is pinned. Built by `npm run page` into one ES
 * module, which the kernel serves at `/console/x/inspector/` and the console imports; the editor is a part of its own.
 */
import { Card, CopyCommand, Mono, PageHeader, usePageSearch } from "@fairlead/console/kit";
import { useState } from "react";
import { EvaluatePanel } from "./evaluate-panel.tsx";
import { ObjectTree, SearchResults } from "./object-tree.tsx";
import { Pins, usePins } from "./pins.tsx";
import { QueryPanel, type QueryTexts } from "./query-panel.tsx";
import { TypeView } from "./type-view.tsx";

const tabs = [
  { id: "expression", title: "Expression" },
  { id: "query", title: "Query" },
  { id: "type", title: "Type" },
] as const;

const queryFields = ["from", "where", "select", "orderBy", "groupBy", "take"] as const;

export default function ObjectsPage() {
  const [search, open] = usePageSearch();
  const { tab = "expression", expr = "", type = "" } = search;
  const [words, setWords] = useState("");
  const { pins, pin, unpin } = usePins();
  const texts: QueryTexts = Object.fromEntries(
    queryFields.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  );
  const evaluate = (next: string): void => open({ ...search, tab: "expression", expr: next });
  const showType = (next: string): void =>
    open({
      ...search,
      tab: "type",
      type:
        next
          .replace(/^.*<(.*)>$/, "$1")
          .split(", ")
          .at(-1) ?? next,
    });
  return (
    <>
      <PageHeader title="Objects" actions={<CopyCommand command="fairlead call inspector.explore" />}>
        Live objects of a running program. They are read and never changed.
      </PageHeader>
      <div className="grid items-start gap-5 lg:grid-cols-5">
        <Card title="Tree" className="lg:col-span-2">
          <div className="border-b border-line p-3">
            <input
              aria-label="Search types and members"
              placeholder="Search types and members, like *Life*"
              value={words}
              onChange={({ target }) => setWords(target.value)}
              className="h-8 w-full rounded-md border border-line bg-card px-3 text-sm"
            />
          </div>
          <section className="overflow-auto p-2" style={{ maxHeight: "42rem" }} tabIndex={0} aria-label="Objects">
            {words.trim().length > 1 ? (
              <SearchResults words={words.trim()} onType={showType} onClear={() => setWords("")} />
            ) : (
              <ObjectTree onUse={evaluate} onPin={pin} onType={showType} />
            )}
          </section>
        </Card>
        <div className="flex min-w-0 flex-col gap-3 lg:col-span-3">
          <div className="flex flex-wrap gap-1" role="tablist" aria-label="What to do">
            {tabs.map(({ id, title }) => (
              <button
                key={id}
                type="button"
                role="tab"
                aria-selected={id === tab}
                onClick={() => open({ ...search, tab: id })}
                className={`h-8 rounded-md px-3 text-sm ${id === tab ? "bg-accent-soft font-medium text-accent" : "text-soft hover:bg-sunk"}`}
              >
                {title}
              </button>
            ))}
          </div>
          {tab === "query" ? (
            <QueryPanel texts={texts} onTexts={(next) => open({ tab: "query", ...next })} />
          ) : tab === "type" ? (
            <TypeView type={type} onType={showType} />
          ) : (
            <EvaluatePanel expr={expr} onExpr={evaluate} onPin={pin} />
          )}
          <Pins pins={pins} onUnpin={unpin} onUse={evaluate} />
          <p className="text-xs text-soft">
            Ctrl Space completes, Ctrl Enter asks. The same at a terminal: <Mono>fairlead call inspector.eval</Mono>.
          </p>
        </div>
      </div>
    </>
  );
}
