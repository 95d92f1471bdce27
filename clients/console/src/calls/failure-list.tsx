/** Failures of one procedure for one reason as one row: how often, for how many callers, when last. */
import { useMemo } from "react";
import type { LiveEvent } from "../api/live.ts";
import { Badge, Empty, Mono, Time } from "../ui/parts.tsx";
import { groupFailures } from "./failures.ts";

interface FailureListProps {
  /** The newest first. */
  readonly calls: readonly LiveEvent[];
  readonly onChoose: (call: LiveEvent) => void;
}

export const FailureList = ({ calls, onChoose }: FailureListProps) => {
  const groups = useMemo(() => groupFailures(calls.toReversed()), [calls]);
  if (groups.length === 0) return <Empty title="No call has failed">Of those that fit the filter.</Empty>;
  return (
    <section className="max-h-[60dvh] overflow-auto" aria-label="Failures" tabIndex={0}>
      <ul className="divide-y divide-line">
        {groups.map(({ procedure, reason, count, callers, first, last, example }) => (
          <li key={`${procedure} ${reason}`}>
            <button
              type="button"
              onClick={() => onChoose(example)}
              className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-left text-sm hover:bg-sunk"
            >
              <Badge tone="bad">{reason}</Badge>
              <Mono>{procedure}</Mono>
              <span className="tabular">{count === 1 ? "once" : `${count} times`}</span>
              <span className="text-soft">{callers === 1 ? "one caller" : `${callers} callers`}</span>
              <span className="ml-auto text-xs text-soft">
                first <Time at={first} />, last <Time at={last} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};
