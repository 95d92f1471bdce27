/** The expression bar: one expression over the roots, its value as a tree, and what it cost. */
import { Button, Card, CopyCommand, callCommand, ErrorNote, JsonTree } from "@fairlead/console/kit";
import { useEffect, useRef, useState } from "react";
import { api } from "./api.ts";
import { CostMeter } from "./cost-meter.tsx";
import { ExpressionField } from "./expression-field.tsx";
import { problemIn, useAsking } from "./question.ts";

interface EvaluateProps {
  /** What the address says; it is evaluated at once. */
  readonly expr: string;
  readonly onExpr: (expr: string) => void;
  readonly onPin: (expr: string) => void;
}

export const EvaluatePanel = ({ expr, onExpr, onPin }: EvaluateProps) => {
  const [text, setText] = useState(expr);
  const { state, isRunning, run } = useAsking<unknown>();
  const asked = useRef("");
  useEffect(() => {
    if (expr === "" || expr === asked.current) return;
    asked.current = expr;
    setText(expr);
    run(() => api.query("eval", { expr, depth: 2 }));
  }, [expr, run]);
  const evaluate = (): void => {
    if (text.trim() === "") return;
    asked.current = text;
    onExpr(text);
    run(() => api.query("eval", { expr: text, depth: 2 }));
  };
  const problem = problemIn(state, "expr");
  return (
    <Card title="Expression" actions={<CopyCommand command={callCommand("inspector.eval", { expr: text })} />}>
      <div className="flex flex-col gap-3 p-4">
        <ExpressionField
          label="Expression over the roots"
          value={text}
          placeholder="Player.GetComponent<Life>().CurHP"
          element=""
          problem={problem}
          onChange={setText}
          onRun={evaluate}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button tone="main" disabled={text.trim() === "" || isRunning} onClick={evaluate} title="Ctrl Enter">
            Evaluate
          </Button>
          <Button disabled={text.trim() === ""} onClick={() => onPin(text)}>
            Pin
          </Button>
        </div>
        {state?.error !== undefined && problem === undefined && <ErrorNote {...state.error} />}
        {state !== undefined && state.error === undefined && (
          <section aria-label="Value" className="max-h-96 overflow-auto rounded-md bg-sunk p-3" tabIndex={0}>
            <JsonTree value={state.answer} />
          </section>
        )}
      </div>
      {state !== undefined && state.error === undefined && <CostMeter asked={state} />}
    </Card>
  );
};
