/** A build for the stand-in of Path of Building with a passive tree of some thousands of nodes: groups of a wheel around notables, in rings around the start. */

interface TreeNode {
  readonly id: number;
  readonly type: "Normal" | "Notable" | "Keystone";
  readonly name: string;
  readonly links: readonly number[];
  readonly x: number;
  readonly y: number;
  readonly center: readonly [x: number, y: number];
  readonly gives: string;
}

const rings = [
  [6, 1_600],
  [14, 3_200],
  [24, 4_900],
  [34, 6_700],
  [44, 8_600],
  [54, 10_600],
  [64, 12_700],
] as const;
const inGroup = 12;
const words = ["Ember", "Frost", "Storm", "Iron", "Quiet", "Swift", "Deep", "Bright", "Grim", "Old"];
const things = ["Mind", "Blood", "Oath", "Path", "Shield", "Hand", "Eye", "Root", "Song", "Blade"];

/** Groups by their number; each is linked to the nearest group of the ring inside of it, and some to their neighbour. */
export const largeTree = (named: (at: number) => string | undefined = () => undefined): readonly TreeNode[] => {
  const nodes: TreeNode[] = [];
  const placed: { readonly angle: number; readonly first: number; readonly ring: number }[] = [];
  for (const [ring, [groups, distance]] of rings.entries())
    for (let at = 0; at < groups; at += 1) {
      const group = placed.length;
      const angle = (2 * Math.PI * at) / groups + ring * 0.2;
      const center = [Math.round(Math.cos(angle) * distance), Math.round(Math.sin(angle) * distance)] as const;
      const first = 5_000 + group * 20;
      const inner = placed.filter((other) => other.ring === ring - 1);
      const apart = (other: { readonly angle: number }): number => Math.abs(Math.sin((other.angle - angle) / 2));
      const nearest = inner.toSorted((a, b) => apart(a) - apart(b))[0];
      for (let step = 0; step < inGroup; step += 1) {
        const turn = angle + Math.PI + (2 * Math.PI * step) / inGroup;
        nodes.push({
          id: first + step,
          type: "Normal",
          name: "Spell Damage",
          links: step === 0 ? [nearest === undefined ? 1 : nearest.first + inGroup / 2] : [first + step - 1],
          x: Math.round(center[0] + Math.cos(turn) * 420),
          y: Math.round(center[1] + Math.sin(turn) * 420),
          center,
          gives: `inc=${2 + ((group * 7 + step) % 9)}`,
        });
      }
      const isKeystone = group % 17 === 16;
      nodes.push({
        id: first + inGroup,
        type: isKeystone ? "Keystone" : "Notable",
        name: named(group) ?? `${words[group % words.length]} ${things[Math.floor(group / 3) % things.length]}`,
        links: [first + 4],
        x: center[0],
        y: center[1],
        center: [center[0] + 1, center[1]],
        gives: `inc=${12 + ((group * 5) % 30)} life=${(group * 11) % 40}`,
      });
      placed.push({ angle, first, ring });
    }
  return nodes;
};

const line = ({ id, type, links, gives, x, y, center, name }: TreeNode): string =>
  `${id} ${type} ${links.join(",")} ${gives} at ${x} ${y} around ${center[0]} ${center[1]} &quot;${name}&quot;`;

/** The notes of a build, from which the stand-in reads its tree. */
export const treeNotes = (nodes: readonly TreeNode[]): string => `TREE:\n${nodes.map(line).join("\n")}`;
