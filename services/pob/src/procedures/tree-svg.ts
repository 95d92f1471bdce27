/** A passive tree, or the difference of two, as SVG. Pure. Names are untrusted text and are escaped. */
import type { TreeLayout } from "../engine/engine.ts";

type NodeChange = "kept" | "gained" | "lost";

const colours: Readonly<Record<NodeChange, string>> = { kept: "#8a8a8a", gained: "#2e9e4f", lost: "#c8372d" };
const radii: Readonly<Record<string, number>> = { Normal: 45, Notable: 80, Keystone: 110, Mastery: 60, Socket: 70 };
const margin = 300;

/** `before` and `after` are node ids; a node in both is kept. */
export const drawTree = (
  { nodes, links }: TreeLayout,
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
): string => {
  const nodeChange = (id: number): NodeChange => (before.has(id) ? (after.has(id) ? "kept" : "lost") : "gained");
  const places = new Map(nodes.map((node) => [node.id, node]));
  const xs = nodes.map(({ x }) => x);
  const ys = nodes.map(({ y }) => y);
  const [left, top] = [minimum(xs) - margin, minimum(ys) - margin];
  const [width, height] = [-minimum(xs.map((x) => -x)) + margin - left, -minimum(ys.map((y) => -y)) + margin - top];
  const lines = links.flatMap(([from, to]) => {
    const [a, b] = [places.get(from), places.get(to)];
    if (a === undefined || b === undefined) return [];
    const fate = nodeChange(from) === "kept" ? nodeChange(to) : nodeChange(from);
    return [
      `<line x1="${round(a.x)}" y1="${round(a.y)}" x2="${round(b.x)}" y2="${round(b.y)}" stroke="${colours[fate]}"/>`,
    ];
  });
  const dots = nodes.map(
    ({ id, x, y, name, type }) =>
      `<circle cx="${round(x)}" cy="${round(y)}" r="${radii[type] ?? 45}" fill="${colours[nodeChange(id)]}"><title>${escaped(name)} (${id}, ${nodeChange(id)})</title></circle>`,
  );
  const labels = nodes
    .filter(({ type }) => type === "Notable" || type === "Keystone")
    .map(({ x, y, name }) => `<text x="${round(x)}" y="${round(y - 130)}">${escaped(name)}</text>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${round(left)} ${round(top)} ${round(width)} ${round(height)}">`,
    `<g stroke-width="24">${lines.join("")}</g>`,
    `<g>${dots.join("")}</g>`,
    `<g font-family="sans-serif" font-size="150" text-anchor="middle" fill="#222222">${labels.join("")}</g>`,
    "</svg>",
  ].join("\n");
};

const minimum = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);

const round = (value: number): number => Math.round(value * 10) / 10;

const escaped = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
