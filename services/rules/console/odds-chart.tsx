/** Exact odds: what is likely as bars, and the same against each Armor Class; each chart as a table, too. */
import { Card, Figure } from "@fairlead/console/kit";
import { type ReactNode, useState } from "react";
import type { Odds } from "./api.ts";
import { axisValues, chart, chartedOutcomes, distributionBars, percent, plot, roundUp } from "./chart.ts";

interface OddsProps {
  readonly odds: Odds;
  /** What was rolled since, to find it in the chart. */
  readonly rolled?: number | undefined;
}

const ways: Readonly<Record<Odds["stance"], string>> = {
  advantage: "two d20, the better counts",
  disadvantage: "two d20, the worse counts",
  neither: "one d20",
};

export const OddsView = ({ odds, rolled }: OddsProps) => {
  const { of, against, stance, success, crit, mean, variance, measured, byArmorClass, notes } = odds;
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure label="Succeeds" value={percent(Number(success.decimal))} note={success.fraction} />
        <Figure label="Critical" value={percent(Number(crit.decimal))} note={crit.fraction} />
        <Figure
          label={measured === "damage" ? "Mean damage" : "Mean total"}
          value={Number(mean.decimal).toFixed(2)}
          note={`± ${Math.sqrt(Number(variance.decimal)).toFixed(2)}`}
        />
        <Figure label="Against" value={against} note={ways[stance]} />
      </div>
      <Chart
        title={measured === "damage" ? `Damage of ${of}` : `Total of ${of}`}
        table={<DistributionTable {...odds} />}
      >
        <Distribution odds={odds} rolled={rolled} />
      </Chart>
      {byArmorClass !== undefined && (
        <Chart title="Against other Armor Classes" table={<ArmorTable series={byArmorClass} />}>
          <ArmorLines series={byArmorClass} against={Number(against)} />
        </Chart>
      )}
      {notes !== "" && <p className="text-sm text-soft break-words">{notes}</p>}
    </div>
  );
};

const Chart = ({
  title,
  table,
  children,
}: {
  readonly title: string;
  readonly table: ReactNode;
  readonly children: ReactNode;
}) => {
  const [isTable, setTable] = useState(false);
  return (
    <Card
      title={<span className="break-words">{title}</span>}
      actions={
        <button
          type="button"
          aria-expanded={isTable}
          onClick={() => setTable(!isTable)}
          className="shrink-0 text-xs text-soft underline hover:text-text"
        >
          {isTable ? "Chart" : "Table"}
          <span className="sr-only"> of {title}</span>
        </button>
      }
    >
      {isTable ? (
        // Scrolls, so it can be focused and read by keyboard.
        <section tabIndex={0} aria-label={title} className="max-h-64 overflow-auto p-3">
          {table}
        </section>
      ) : (
        <div className="p-3">{children}</div>
      )}
    </Card>
  );
};

const viewBox = `0 0 ${chart.width} ${chart.height}`;
const bottom = chart.top + plot.height;

/** Lines of an axis with what they say. */
const Grid = ({ most, format }: { readonly most: number; readonly format: (value: number) => string }) =>
  [0, 0.5, 1].map((part) => {
    const y = bottom - part * plot.height;
    return (
      <g key={part}>
        <line x1={chart.left} x2={chart.width - chart.right} y1={y} y2={y} stroke="var(--color-line)" />
        <text x={chart.left - 6} y={y + 4} textAnchor="end" fontSize="11" fill="var(--color-soft)">
          {format(part * most)}
        </text>
      </g>
    );
  });

const Distribution = ({ odds, rolled }: OddsProps) => {
  const { measured, mean } = odds;
  const { charted, missed } = chartedOutcomes(odds);
  const bars = distributionBars(charted);
  const [first, last] = [bars[0]?.value ?? 0, bars.at(-1)?.value ?? 0];
  const most = roundUp(Math.max(0, ...bars.map(({ share }) => share)));
  const step = plot.width / (last - first + 1);
  const middle = (value: number): number => chart.left + (value - first + 0.5) * step;
  return (
    <>
      <svg
        viewBox={viewBox}
        className="w-full"
        role="img"
        aria-label={`${measured} from ${first} to ${last}, ${Number(mean.decimal).toFixed(2)} on average${rolled === undefined ? "" : `; ${rolled} was rolled`}`}
      >
        <Grid most={most} format={(share) => `${Number((share * 100).toFixed(2))} %`} />
        {bars.map(({ value, share, x, y, width, height }) => (
          <rect
            key={value}
            x={x}
            y={y}
            width={width}
            height={height}
            rx={Math.min(2, width / 4)}
            fill={value === rolled ? "var(--color-warn)" : "var(--color-accent)"}
          >
            <title>{`${value}: ${percent(share)}`}</title>
          </rect>
        ))}
        {axisValues(first, last).map((value) => (
          <text
            key={value}
            x={middle(value)}
            y={chart.height - 8}
            textAnchor="middle"
            fontSize="11"
            fill="var(--color-soft)"
          >
            {value}
          </text>
        ))}
        {rolled !== undefined && rolled >= first && rolled <= last && (
          <path d={`M${middle(rolled)} ${bottom + 2} l-4 6 h8 z`} fill="var(--color-warn)" />
        )}
      </svg>
      {(missed > 0 || rolled !== undefined) && (
        <p className="text-xs text-soft">
          {missed > 0 && `No damage: ${percent(missed)}, not in the chart. `}
          {rolled !== undefined && (
            <>
              <span className="text-warn">▮</span> what was rolled: {rolled}
            </>
          )}
        </p>
      )}
    </>
  );
};

type Series = NonNullable<Odds["byArmorClass"]>;

const ArmorLines = ({ series, against }: { readonly series: Series; readonly against: number }) => {
  const means = series.map(({ mean }) => Number(mean.decimal));
  const most = roundUp(Math.max(0, ...means));
  const step = plot.width / series.length;
  const x = (index: number): number => chart.left + (index + 0.5) * step;
  const points = series.map(({ success }, index) => `${x(index)},${bottom - Number(success.decimal) * plot.height}`);
  return (
    <>
      <svg
        viewBox={viewBox}
        className="w-full"
        role="img"
        aria-label="Mean damage as bars and the chance to hit as a line, for Armor Class 10 to 25; the table says the same"
      >
        <Grid most={most} format={(value) => String(Number(value.toFixed(2)))} />
        {series.map(({ ac, mean, success }, index) => {
          const height = ((means[index] ?? 0) / most) * plot.height;
          return (
            <g key={ac}>
              <rect
                x={x(index) - step * 0.35}
                y={bottom - height}
                width={step * 0.7}
                height={height}
                rx="2"
                fill="var(--color-accent)"
                opacity={ac === against ? 1 : 0.4}
              >
                <title>{`AC ${ac}: ${Number(mean.decimal).toFixed(2)} on average, hits ${percent(Number(success.decimal))}`}</title>
              </rect>
              <text
                x={x(index)}
                y={chart.height - 8}
                textAnchor="middle"
                fontSize="11"
                fontWeight={ac === against ? 700 : 400}
                fill={ac === against ? "var(--color-text)" : "var(--color-soft)"}
              >
                {ac}
              </text>
            </g>
          );
        })}
        <polyline points={points.join(" ")} fill="none" stroke="var(--color-key)" strokeWidth="2" />
        {points.map((point, index) => {
          const [cx, cy] = point.split(",");
          return <circle key={series[index]?.ac} cx={cx} cy={cy} r="3" fill="var(--color-key)" />;
        })}
      </svg>
      <p className="text-xs text-soft">
        <span className="text-accent">▮</span> mean damage, <span className="text-key">●</span> chance to hit (0 to 100
        %)
      </p>
    </>
  );
};

const DistributionTable = ({ distribution, measured }: Odds) => (
  <table className="tabular w-full text-sm">
    <thead>
      <tr className="text-left text-xs text-soft">
        <th scope="col">{measured === "damage" ? "Damage" : "Total"}</th>
        <th scope="col" className="text-right">
          Probability
        </th>
        <th scope="col" className="text-right">
          Exactly
        </th>
      </tr>
    </thead>
    <tbody>
      {distribution.map(({ value, probability }) => (
        <tr key={value}>
          <td>{value}</td>
          <td className="text-right">{percent(Number(probability.decimal))}</td>
          <td className="text-right text-soft">{probability.fraction}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const ArmorTable = ({ series }: { readonly series: Series }) => (
  <table className="tabular w-full text-sm">
    <thead>
      <tr className="text-left text-xs text-soft">
        <th scope="col">Armor Class</th>
        <th scope="col" className="text-right">
          Hits
        </th>
        <th scope="col" className="text-right">
          Mean damage
        </th>
      </tr>
    </thead>
    <tbody>
      {series.map(({ ac, success, mean }) => (
        <tr key={ac}>
          <td>{ac}</td>
          <td className="text-right">{percent(Number(success.decimal))}</td>
          <td className="text-right">{Number(mean.decimal).toFixed(2)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
