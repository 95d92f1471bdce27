/**
 * What of a tree is drawn, as numbers: its bounds, its places on the screen, the node under a pointer, and how warm each node is. Pure. Not here: the canvas
 * (`tree-canvas.tsx`).
 */
import type { LayoutNode, TreeLayout } from "./api.ts";

/** From the tree's units to pixels: `x * scale + left`. */
export interface View {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** Radius in the tree's units. */
export const nodeRadius = (type: string): number =>
  ({ Notable: 75, Keystone: 105, Mastery: 60, Socket: 70, ClassStart: 120, AscendClassStart: 50 })[type] ?? 46;

const margin = 24;

/** All of it in the middle. */
export const fitView = (nodes: TreeLayout["nodes"], { width, height }: CanvasSize): View => {
  const xs = nodes.map(({ x }) => x);
  const ys = nodes.map(({ y }) => y);
  const [x0, x1, y0, y1] = [least(xs), -least(xs.map((x) => -x)), least(ys), -least(ys.map((y) => -y))];
  const scale = Math.min(1, (width - 2 * margin) / Math.max(1, x1 - x0), (height - 2 * margin) / Math.max(1, y1 - y0));
  const safe = Math.max(scale, 0.001);
  return { scale: safe, left: width / 2 - ((x0 + x1) / 2) * safe, top: height / 2 - ((y0 + y1) / 2) * safe };
};

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);

export const mostScale = 1.5;
export const leastScale = 0.005;

/** What is under this point of the screen stays there. */
export const zoomAt = (
  { scale, left, top }: View,
  by: number,
  at: { readonly x: number; readonly y: number },
): View => {
  const next = Math.min(mostScale, Math.max(leastScale, scale * by));
  const part = next / scale;
  return { scale: next, left: at.x - (at.x - left) * part, top: at.y - (at.y - top) * part };
};

export const centerOn = (
  { x, y }: Pick<LayoutNode, "x" | "y">,
  scale: number,
  { width, height }: CanvasSize,
): View => ({
  scale,
  left: width / 2 - x * scale,
  top: height / 2 - y * scale,
});

const cell = 400;

/** Nodes by squares of the tree, to find the one under a pointer among thousands. */
export const indexNodes = (nodes: TreeLayout["nodes"]) => {
  const squares = new Map<string, LayoutNode[]>();
  for (const node of nodes) {
    const key = `${Math.floor(node.x / cell)} ${Math.floor(node.y / cell)}`;
    const square = squares.get(key);
    if (square === undefined) squares.set(key, [node]);
    else square.push(node);
  }
  /** The nearest within reach of a point of the screen; at least 8 pixels count as a hit. */
  return (point: { readonly x: number; readonly y: number }, { scale, left, top }: View): LayoutNode | undefined => {
    const [x, y] = [(point.x - left) / scale, (point.y - top) / scale];
    const reach = 8 / scale;
    const most = Math.min(10, Math.ceil(Math.max(reach, 100) / cell));
    let found: LayoutNode | undefined;
    let nearest = Number.POSITIVE_INFINITY;
    for (let column = Math.floor(x / cell) - most; column <= Math.floor(x / cell) + most; column += 1)
      for (let row = Math.floor(y / cell) - most; row <= Math.floor(y / cell) + most; row += 1)
        for (const node of squares.get(`${column} ${row}`) ?? []) {
          const distance = Math.hypot(node.x - x, node.y - y);
          if (distance < nearest && distance <= Math.max(reach, nodeRadius(node.type))) {
            nearest = distance;
            found = node;
          }
        }
    return found;
  };
};

export const heatSteps = 8;

/** From 0, for what gains nothing, to `heatSteps`, for what gains most; a loss is 0. */
export const heatStep = (gain: number, most: number): number =>
  gain <= 0 || most <= 0 ? 0 : Math.max(1, Math.min(heatSteps, Math.ceil((gain / most) * heatSteps)));
