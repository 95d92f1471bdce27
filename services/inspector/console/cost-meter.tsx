/** What a question took: time until its answer was here, size of the answer, rows that matched, and how they were read. */
import { byteSize, duration } from "@fairlead/console/kit";
import type { QueryAnswer } from "./api.ts";
import type { QuestionResult } from "./question.ts";

/** Above this the bar is full and red. */
const slowMs = 1_000;

export const CostMeter = ({ asked }: { readonly asked: QuestionResult<unknown> }) => {
  const { ms, bytes, answer } = asked;
  const found = readQueryAnswer(answer);
  const part = Math.min(1, Math.sqrt(ms / slowMs));
  const color = ms >= slowMs ? "bg-bad" : ms >= slowMs / 4 ? "bg-warn" : "bg-accent";
  const facts = [
    duration(ms),
    byteSize(bytes),
    ...(found === undefined
      ? []
      : [
          `${found.count} of ${found.counted ? "" : "at least "}${found.matched} that matched`,
          found.path === "generated" ? "read by a generated loop" : "read one property at a time",
        ]),
  ];
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-2 text-xs text-soft">
      <span
        role="img"
        aria-label={`It took ${duration(ms)}`}
        className="block w-24 overflow-hidden rounded-full bg-sunk"
        style={{ height: 6 }}
      >
        <span className={`block rounded-full ${color}`} style={{ height: 6, width: `${Math.max(3, part * 100)}%` }} />
      </span>
      {facts.map((fact) => (
        <span key={fact} className="tabular">
          {fact}
        </span>
      ))}
    </div>
  );
};

const readQueryAnswer = (answer: unknown): QueryAnswer | undefined =>
  typeof answer === "object" && answer !== null && "matched" in answer && "rows" in answer
    ? (answer as QueryAnswer)
    : undefined;
