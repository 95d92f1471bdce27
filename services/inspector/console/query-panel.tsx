/** The query editor: from, where, select, order and groups, each completed from live objects; the rows as a table, and what they cost. */
import { Button, Card, CopyCommand, callCommand, Empty, ErrorNote } from "@fairlead/console/kit";
import { useEffect, useState } from "react";
import { api, type QueryAnswer, type QueryInput } from "./api.ts";
import { CostMeter } from "./cost-meter.tsx";
import { ExpressionField } from "./expression-field.tsx";
import { findElement } from "./live-types.ts";
import { problemIn, useAsking } from "./question.ts";
import { ResultTable } from "./result-table.tsx";

const fields = [
  { name: "from", label: "From", placeholder: "Entities" },
  { name: "where", label: "Where", placeholder: "Distance < 50 && IsHostile" },
  { name: "select", label: "Select", placeholder: "new { Id, RenderName, Distance }" },
  { name: "orderBy", label: "Order by", placeholder: "Distance, Id desc" },
  { name: "groupBy", label: "Group by", placeholder: "Type" },
] as const;

type FieldName = (typeof fields)[number]["name"];
export type QueryTexts = Partial<Readonly<Record<FieldName | "take", string>>>;

interface QueryPanelProps {
  /** What the address says; it is asked at once. */
  readonly texts: QueryTexts;
  readonly onTexts: (texts: QueryTexts) => void;
}

const toInput = (texts: QueryTexts): QueryInput => {
  const given = fields.flatMap(({ name }) => {
    const text = texts[name]?.trim() ?? "";
    return text === "" ? [] : [[name, text] as const];
  });
  const take = Number(texts.take);
  return { from: "", ...Object.fromEntries(given), take: Number.isInteger(take) && take > 0 ? take : 100 };
};

export const QueryPanel = ({ texts: wanted, onTexts }: QueryPanelProps) => {
  const [texts, setTexts] = useState<QueryTexts>(wanted);
  const element = useElement(texts.from ?? "");
  const { state, isRunning, run } = useAsking<QueryAnswer>();
  const address = JSON.stringify(wanted);
  useEffect(() => {
    const begin = JSON.parse(address) as QueryTexts;
    if ((begin.from ?? "") === "") return;
    setTexts(begin);
    run(() => api.query("query", toInput(begin)));
  }, [address, run]);
  const input = toInput(texts);
  const ask = (): void => {
    if (input.from === "") return;
    if (JSON.stringify(texts) === address) run(() => api.query("query", input));
    else onTexts(texts);
  };
  const problems = fields.map(({ name }) => problemIn(state, name));
  return (
    <Card title="Query" actions={<CopyCommand command={callCommand("inspector.query", input)} />}>
      <div className="flex flex-col gap-3 p-4">
        <div className="grid gap-3 md:grid-cols-2">
          {fields.map(({ name, label, placeholder }, index) => (
            <ExpressionField
              key={name}
              label={label}
              value={texts[name] ?? ""}
              placeholder={placeholder}
              element={name === "from" ? "" : element}
              problem={problems[index]}
              onChange={(text) => setTexts((before) => ({ ...before, [name]: text }))}
              onRun={ask}
            />
          ))}
          <label className="block min-w-0">
            <span className="block text-xs text-soft">Rows at most</span>
            <input
              type="number"
              min={1}
              max={1_000}
              value={texts.take ?? "100"}
              onChange={({ target }) => setTexts((before) => ({ ...before, take: target.value }))}
              className="tabular w-24 rounded-md border border-line bg-card px-2 text-sm"
              style={{ height: 34 }}
            />
          </label>
        </div>
        <Button
          tone="main"
          className="self-start"
          disabled={input.from === "" || isRunning}
          onClick={ask}
          title="Ctrl Enter"
        >
          Ask
        </Button>
        {state?.error !== undefined && problems.every((problem) => problem === undefined) && (
          <ErrorNote {...state.error} />
        )}
      </div>
      {state?.answer === undefined ? (
        state?.error === undefined && (
          <Empty title="Nothing was asked yet">
            Say where the rows come from, like Entities, and press Ctrl Enter. What you write is completed from the live
            objects.
          </Empty>
        )
      ) : (
        <>
          {state.answer.rows.length === 0 ? (
            <Empty title="No row matched">Take a part of Where away.</Empty>
          ) : (
            <div className="border-t border-line">
              <ResultTable key={state.answer.handle ?? state.ms} values={state.answer.rows} />
            </div>
          )}
          {state.answer.note !== undefined && (
            <p className="px-4 py-2 text-sm text-soft break-words">{state.answer.note}</p>
          )}
          <CostMeter asked={state} />
        </>
      )}
    </Card>
  );
};

const waitMs = 300;

/** An element of what `from` names, once it is written. */
const useElement = (from: string): string => {
  const [element, setElement] = useState("");
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      void findElement(from).then((found) => {
        if (!isOver) setElement(found);
      });
    }, waitMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [from]);
  return element;
};
