/**
 * What a build's XML says, read without Path of Building: summary, tree, skills, items, stored stats.
 *
 * Lenient about what is missing, as builds of many years are around; `validate.ts` says what Path of Building would not take.
 */
import type { CallerOutput } from "@fairlead/contracts";
import type { pob } from "@fairlead/contracts/pob";
import { activeConfig, activeItems, activeSkills, activeSpec } from "./active-parts.ts";
import { maxNodes } from "./limits.ts";
import { readBuildText } from "./share-code.ts";
import { childOf, childrenOf, type Element, parseXml } from "./xml.ts";

export type BuildSummary = CallerOutput<(typeof pob)["procedures"]["parseBuild"]>;
export type PassiveTree = NonNullable<BuildSummary["tree"]>;
type SkillGroup = BuildSummary["skills"][number];

export type Read =
  | { readonly ok: true; readonly xml: string; readonly root: Element }
  | { readonly ok: false; readonly why: string };

/** XML or share code to a tree of elements whose root is a build. */
export const readBuild = (text: string): Read => {
  const decoded = readBuildText(text);
  if (!decoded.ok) return { ok: false, why: `the share code cannot be read: ${decoded.why}` };
  const parsed = parseXml(decoded.xml);
  if (!parsed.ok) return { ok: false, why: `the XML cannot be read: ${parsed.why}` };
  return parsed.root.name === "PathOfBuilding"
    ? { ok: true, xml: decoded.xml, root: parsed.root }
    : { ok: false, why: `its root is <${parsed.root.name.slice(0, 40)}>, not <PathOfBuilding>` };
};

export const summarise = (root: Element): BuildSummary => {
  const build = childOf(root, "Build");
  const attributes = build?.attributes ?? {};
  const skills = skillsOf(root);
  return {
    level: whole(attributes.level, 1),
    className: attributes.className ?? "",
    ascendancy: named(attributes.ascendClassName),
    mainSkill: mainSkillOf(skills, whole(attributes.mainSocketGroup, 1)),
    tree: treeOf(root),
    skills,
    items: itemsOf(root),
    notes: (childOf(root, "Notes")?.text ?? "").trim().slice(0, 2_000),
    storedStats: build === undefined ? {} : storedStatsOf(build),
  };
};

/** The active passive tree. */
export const treeOf = (root: Element): PassiveTree | null => {
  const spec = activeSpec(root);
  if (spec === undefined) return null;
  const { attributes } = spec;
  return {
    treeVersion: attributes.treeVersion ?? "",
    classId: whole(attributes.classId, 0),
    ascendClassId: whole(attributes.ascendClassId, 0),
    secondaryAscendClassId: whole(attributes.secondaryAscendClassId, 0),
    nodes: [...new Set(numbersIn(attributes.nodes ?? ""))].toSorted((a, b) => a - b),
    masteryEffects: Object.fromEntries(
      [...(attributes.masteryEffects ?? "").slice(0, 16_384).matchAll(/\{(\d+),(\d+)\}/g)].map(
        ([, node = "", effect]) => [node, Number(effect)],
      ),
    ),
  };
};

/** Configuration options that are set, as text. */
export const configOf = (root: Element): ReadonlyMap<string, string> => {
  const active = activeConfig(root);
  if (active === undefined) return new Map();
  return new Map(
    childrenOf(active, "Input").map(({ attributes: { name = "", number, string, boolean } }) => [
      name,
      number ?? string ?? boolean ?? "",
    ]),
  );
};

const skillsOf = (root: Element): SkillGroup[] => {
  const active = activeSkills(root);
  if (active === undefined) return [];
  return childrenOf(active, "Skill").map((group) => ({
    label: group.attributes.label ?? "",
    slot: named(group.attributes.slot),
    enabled: group.attributes.enabled !== "false",
    gems: childrenOf(group, "Gem").map(({ attributes }) => ({
      name: attributes.nameSpec ?? attributes.skillId ?? "",
      level: whole(attributes.level, 1),
      quality: whole(attributes.quality, 0),
      enabled: attributes.enabled !== "false",
    })),
  }));
};

const mainSkillOf = (groups: readonly SkillGroup[], main: number): string | null =>
  groups[main - 1]?.gems.find(({ enabled }) => enabled)?.name ?? null;

const itemsOf = (root: Element): BuildSummary["items"] => {
  const [items, active] = [childOf(root, "Items"), activeItems(root)];
  if (items === undefined || active === undefined) return [];
  const worn = new Map(
    childrenOf(active, "Slot").map(({ attributes }) => [attributes.itemId ?? "", attributes.name ?? ""] as const),
  );
  return childrenOf(items, "Item")
    .map(({ attributes, text }) => {
      const { rarity, name } = namesOf(text);
      return { slot: named(worn.get(attributes.id ?? "")), rarity, name };
    })
    .toSorted((a, b) => Number(a.slot === null) - Number(b.slot === null));
};

/** An item's text begins with its rarity, then its name, then, for rare and unique ones, its base. */
export const namesOf = (text: string): { readonly rarity: string; readonly name: string; readonly base: string } => {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const at = lines.findIndex((line) => line.startsWith("Rarity:"));
  const rarity = lines[at]?.slice("Rarity:".length).trim() ?? "";
  const name = (lines[at + 1] ?? "").slice(0, 200);
  return { rarity, name, base: /^(RARE|UNIQUE|RELIC)$/i.test(rarity) ? (lines[at + 2] ?? "").slice(0, 200) : name };
};

const storedStatsOf = (build: Element): Record<string, number> =>
  Object.fromEntries(
    childrenOf(build, "PlayerStat")
      .map(({ attributes }) => [attributes.stat ?? "", Number(attributes.value)] as const)
      .filter(([name, value]) => name !== "" && Number.isFinite(value)),
  );

const whole = (text: string | undefined, otherwise: number): number => {
  const value = Number(text);
  return text !== undefined && text.trim() !== "" && Number.isSafeInteger(value) ? value : otherwise;
};

const named = (text: string | undefined): string | null =>
  text === undefined || text === "" || text === "None" ? null : text;

/** One more than may be is enough to see that there are too many. */
const numbersIn = (text: string): readonly number[] =>
  text
    .split(",", maxNodes + 1)
    .map((part) => part.trim())
    .filter((part) => /^\d{1,10}$/.test(part))
    .map(Number)
    .filter((id) => id <= 2_147_483_647);
