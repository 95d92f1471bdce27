/** Calls in each of the last seconds as bars, failures on top of the rest; a sentence says the same for those who do not see it. */
import type { CallsOfSecond } from "../api/live.ts";

const width = 300;
const height = 56;
const shown = 60;

export const Sparkline = ({ counts, now }: { readonly counts: readonly CallsOfSecond[]; readonly now: number }) => {
  const last = Math.floor(now / 1_000);
  const bySecond = new Map(counts.map((each) => [each.second, each]));
  const most = Math.max(4, ...counts.map(({ calls }) => calls));
  const step = width / shown;
  const total = counts.filter(({ second }) => second > last - shown).reduce((sum, { calls }) => sum + calls, 0);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-14 w-full"
      role="img"
      aria-label={`${total} calls in the last minute, at most ${Math.max(0, ...counts.map(({ calls }) => calls))} in a second`}
    >
      <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} stroke="var(--color-line)" />
      {Array.from({ length: shown }, (_, index) => {
        const found = bySecond.get(last - shown + 1 + index);
        if (found === undefined) return null;
        const tall = (found.calls / most) * (height - 4);
        const failed = (found.failures / most) * (height - 4);
        return (
          <g key={found.second}>
            <rect x={index * step + 0.5} width={step - 1} y={height - tall} height={tall} fill="var(--color-accent)" />
            <rect x={index * step + 0.5} width={step - 1} y={height - tall} height={failed} fill="var(--color-bad)" />
          </g>
        );
      })}
    </svg>
  );
};
