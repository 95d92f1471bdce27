/** A line of a chart as an SVG path, from 0 up. Pure. */
export interface Point {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `null` where there is a gap. */
  readonly value: number | null;
}

export const chartWidth = 320;
export const chartHeight = 72;

/** Pieces of the line, split at gaps; `most` is at the top. */
export const linePath = (points: readonly Point[], most: number): string => {
  const first = points[0]?.at ?? 0;
  const span = Math.max(1, (points.at(-1)?.at ?? 0) - first);
  let isDrawing = false;
  const parts: string[] = [];
  for (const { at, value } of points) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    const x = ((at - first) / span) * chartWidth;
    const y = chartHeight - 1 - (value / most) * (chartHeight - 6);
    parts.push(`${isDrawing ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`);
    isDrawing = true;
  }
  return parts.join("");
};
