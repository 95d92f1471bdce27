/** One figure over time as a line, from 0 up, with what it is now; a table says the same for those who do not see it. */
import { useId, useState } from "react";
import { chartHeight as height, linePath, type Point, chartWidth as width } from "./line-path.ts";

interface LineChartProps {
  readonly title: string;
  readonly points: readonly Point[];
  readonly format: (value: number) => string;
}

const mostRows = 20;

export const LineChart = ({ title, points, format }: LineChartProps) => {
  const [isTable, setTable] = useState(false);
  const titleId = useId();
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const last = values.at(-1);
  const most = Math.max(0, ...values);
  return (
    <section aria-labelledby={titleId} className="min-w-0 rounded-lg border border-line bg-card p-4">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={titleId} className="text-xs text-soft">
          {title}
        </h2>
        <button
          type="button"
          aria-expanded={isTable}
          onClick={() => setTable(!isTable)}
          className="text-xs text-soft underline hover:text-text"
        >
          {isTable ? "Chart" : "Table"}
          <span className="sr-only"> of {title}</span>
        </button>
      </div>
      <p className="tabular text-2xl font-semibold tracking-tight">{last === undefined ? "…" : format(last)}</p>
      <div className="mt-1 h-24 overflow-auto">
        {isTable ? (
          <table className="tabular w-full text-xs">
            <thead className="sr-only">
              <tr>
                <th scope="col">When</th>
                <th scope="col">{title}</th>
              </tr>
            </thead>
            <tbody>
              {points
                .slice(-mostRows)
                .toReversed()
                .map(({ at, value }) => (
                  <tr key={at}>
                    <td className="text-soft">{new Date(at).toLocaleTimeString("en")}</td>
                    <td className="text-right">{value === null ? "–" : format(value)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        ) : (
          <svg
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            className="h-20 w-full"
            role="img"
            aria-label={
              last === undefined
                ? `${title}: not measured yet`
                : `${title}: ${format(last)} now, ${format(most)} at most`
            }
          >
            <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} stroke="var(--color-line)" />
            <path
              d={linePath(points, most > 0 ? most : 1)}
              fill="none"
              stroke="var(--color-accent)"
              strokeWidth="1.5"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
        )}
      </div>
      <p className="tabular text-xs text-soft">{values.length < 2 ? "begins now" : `at most ${format(most)}`}</p>
    </section>
  );
};
