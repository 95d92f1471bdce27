/** What a session may still use: a bar for each budget, and how the prompts went down. */
import { Card, duration, useNow } from "@fairlead/console/kit";
import type { RunSnapshot, SessionLine, SessionStatus } from "./api.ts";
import { type Budget, burnDown, listBudgets } from "./budgets.ts";

interface BudgetsProps {
  readonly view: RunSnapshot;
  readonly lines: readonly SessionLine[];
  /** Of the session that is open; undefined for others and for earlier moments. */
  readonly status: SessionStatus | undefined;
}

export const Budgets = ({ view, lines, status }: BudgetsProps) => {
  const clock = useNow();
  const last = lines.findLast(({ seq }) => seq <= view.at);
  const now = status === undefined && last !== undefined ? Date.parse(last.ts) : clock;
  const { step_budget } = view.state;
  const forecast = status?.forecast ?? null;
  return (
    <Card title="Budgets">
      <div className="grid gap-4 p-4 sm:grid-cols-2">
        {listBudgets(view.state, { now, duration }).map((budget) => (
          <Bar key={budget.title} {...budget} />
        ))}
      </div>
      <div className="border-t border-line px-4 py-3">
        <p className="text-xs text-soft">Prompts left, over the time of the run</p>
        <BurnChart points={burnDown(lines, typeof step_budget === "number" ? step_budget : 0, view.at)} />
        {forecast !== null && (
          <p className="text-sm text-soft">
            At this rate it will have cost ${forecast.total_cost_usd.toFixed(2)} and{" "}
            {forecast.total_tokens.toLocaleString("en")} tokens.
          </p>
        )}
        {status?.budget_warnings.map((warning) => (
          <p key={warning} className="text-sm text-warn break-words">
            {warning}
          </p>
        ))}
      </div>
    </Card>
  );
};

const Bar = ({ title, left, detail, used }: Budget) => {
  const color = used === null ? "" : used >= 1 ? "bg-bad" : used >= 0.8 ? "bg-warn" : "bg-accent";
  return (
    <div className="min-w-0" title={detail}>
      <div className="flex items-baseline justify-between gap-2 text-sm">
        <span className="text-soft">{title}</span>
        <span className="tabular font-medium whitespace-nowrap">{left}</span>
      </div>
      <div
        className="mt-1 overflow-hidden rounded-full bg-sunk"
        style={{ height: 6 }}
        {...(used === null
          ? {}
          : { role: "meter", "aria-label": title, "aria-valuenow": Math.round(used * 100), "aria-valuetext": detail })}
      >
        {used !== null && (
          <div className={`rounded-full ${color}`} style={{ height: 6, width: `${Math.max(2, used * 100)}%` }} />
        )}
      </div>
      <p className="tabular mt-1 text-xs text-soft">{detail}</p>
    </div>
  );
};

const [width, height] = [600, 60];

const BurnChart = ({ points }: { readonly points: ReturnType<typeof burnDown> }) => {
  const corners = points.map(({ x, y }, index) => {
    const [px, py] = [(x * width).toFixed(1), (2 + (1 - y) * (height - 4)).toFixed(1)];
    return index === 0 ? `M${px} ${py}` : `H${px} V${py}`;
  });
  const line = corners.join(" ");
  const left = points.at(-1)?.y ?? 1;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="w-full"
      style={{ height }}
      role="img"
      aria-label={`${Math.round(left * 100)} % of the prompts are left`}
    >
      <line
        x1="0"
        x2={width}
        y1={height - 1}
        y2={height - 1}
        stroke="var(--color-line)"
        vectorEffect="non-scaling-stroke"
      />
      {line !== "" && (
        <>
          <path d={`${line} V${height} H0 Z`} fill="var(--color-accent-soft)" />
          <path d={line} fill="none" stroke="var(--color-accent)" strokeWidth="2" vectorEffect="non-scaling-stroke" />
        </>
      )}
    </svg>
  );
};
