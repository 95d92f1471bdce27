/** A tree as a few paths, each of one look: a frame strokes and fills those, however many nodes there are. */
import type { TreeLayout } from "./api.ts";
import { heatStep, heatSteps, nodeRadius } from "./tree-scene.ts";

export interface TreePaths {
  readonly links: Path2D;
  readonly takenLinks: Path2D;
  readonly nodes: Path2D;
  readonly takenNodes: Path2D;
  readonly addedNodes: Path2D;
  readonly removedNodes: Path2D;
  /** By step of warmth, from 1. */
  readonly heat: readonly Path2D[];
}

interface Marks {
  readonly taken: ReadonlySet<number>;
  readonly added: ReadonlySet<number>;
  readonly removed: ReadonlySet<number>;
  readonly gains: ReadonlyMap<number, number>;
}

export const buildPaths = ({ nodes, links }: TreeLayout, { taken, added, removed, gains }: Marks): TreePaths => {
  const places = new Map(nodes.map((node) => [node.id, node]));
  const most = Math.max(0, ...gains.values());
  const heat = Array.from({ length: heatSteps }, () => new Path2D());
  const paths: TreePaths = {
    links: new Path2D(),
    takenLinks: new Path2D(),
    nodes: new Path2D(),
    takenNodes: new Path2D(),
    addedNodes: new Path2D(),
    removedNodes: new Path2D(),
    heat,
  };
  for (const { from, to, center } of links) {
    const [a, b] = [places.get(from), places.get(to)];
    if (a === undefined || b === undefined) continue;
    const path = taken.has(from) && taken.has(to) ? paths.takenLinks : paths.links;
    path.moveTo(a.x, a.y);
    if (center === undefined) path.lineTo(b.x, b.y);
    else {
      const [start, end] = [Math.atan2(a.y - center.y, a.x - center.x), Math.atan2(b.y - center.y, b.x - center.x)];
      const turn = (((end - start) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
      path.arc(center.x, center.y, Math.hypot(a.x - center.x, a.y - center.y), start, end, turn > Math.PI);
    }
  }
  for (const { id, x, y, type } of nodes) {
    const radius = nodeRadius(type);
    const step = heatStep(gains.get(id) ?? 0, most);
    const path = added.has(id)
      ? paths.addedNodes
      : removed.has(id)
        ? paths.removedNodes
        : taken.has(id)
          ? paths.takenNodes
          : (heat[step - 1] ?? paths.nodes);
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI);
  }
  return paths;
};
