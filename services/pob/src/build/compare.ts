/** How two builds differ, read from their XML: a list for programs and a text for people. */
import type { CallerOutput } from "@fairlead/contracts";
import type { pob } from "@fairlead/contracts/pob";
import { type BuildSummary, readConfig, summarizeBuild } from "./summary.ts";
import type { Element } from "./xml.ts";

type Comparison = CallerOutput<(typeof pob)["procedures"]["compareBuilds"]>;
type BuildDifference = Comparison["changes"][number];

export const compareBuilds = (a: Element, b: Element): Comparison => {
  const [first, second] = [summarizeBuild(a), summarizeBuild(b)];
  const changes = differences(listFacts(first, readConfig(a)), listFacts(second, readConfig(b)));
  const tree = treeDifference(first.tree?.nodes ?? [], second.tree?.nodes ?? []);
  return { text: formatComparison(changes, tree), changes, tree };
};

/** A build as a flat list of named facts, which is all a comparison needs. */
const listFacts = (build: BuildSummary, config: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([
    ["level", String(build.level)],
    ["class", build.className],
    ...fact("ascendancy", build.ascendancy),
    ...fact("main skill", build.mainSkill),
    ...fact("tree version", build.tree?.treeVersion),
    ...build.items.flatMap(({ slot, name, rarity }) =>
      fact(`items: ${slot ?? ""}`, slot === null ? null : `${name} (${rarity.toLowerCase()})`),
    ),
    ...build.skills.map(
      ({ label, gems }, index) =>
        [
          `skills: group ${index + 1}${label === "" ? "" : ` (${label})`}`,
          gems
            .map(({ name, level, quality, enabled }) => `${name} ${level}/${quality}${enabled ? "" : " off"}`)
            .join(", "),
        ] as const,
    ),
    ...Object.entries(build.tree?.masteryEffects ?? {}).map(
      ([node, effect]) => [`mastery ${node}`, String(effect)] as const,
    ),
    ...[...config].map(([name, value]) => [`configuration: ${name}`, value] as const),
  ]);

const fact = (name: string, value: string | null | undefined): readonly (readonly [string, string])[] =>
  value === null || value === undefined ? [] : [[name, value]];

const differences = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): BuildDifference[] =>
  [...new Set([...a.keys(), ...b.keys()])]
    .map((what) => ({ what, a: a.get(what) ?? null, b: b.get(what) ?? null }))
    .filter((change) => change.a !== change.b);

const treeDifference = (a: readonly number[], b: readonly number[]): Comparison["tree"] => {
  const [inA, inB] = [new Set(a), new Set(b)];
  return {
    onlyA: a.filter((id) => !inB.has(id)),
    onlyB: b.filter((id) => !inA.has(id)),
    both: a.filter((id) => inB.has(id)).length,
  };
};

const formatComparison = (changes: readonly BuildDifference[], { onlyA, onlyB, both }: Comparison["tree"]): string =>
  [
    ...changes.map(({ what, a, b }) => `${what}: ${a ?? "(none)"} -> ${b ?? "(none)"}`),
    onlyA.length + onlyB.length === 0
      ? `tree: the same ${both} nodes`
      : `tree: ${both} nodes in both, ${onlyA.length} only in the first, ${onlyB.length} only in the second`,
  ].join("\n");
