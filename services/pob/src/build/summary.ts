/**
 * What a build's XML says, read without Path of Building: summary, tree, skills, items, stored stats.
 *
 * Lenient about what is missing, as builds of many years are around; `validate.ts` says what Path of Building would not take.
 */
import type { CallerOutput } from "@fairlead/contracts";
import type { pob } from "@fairlead/contracts/pob";
import { activeConfig, activeItems, activeSkills, activeSpec } from "./active-parts.ts";
import { maxNodes } from "./limits.ts";
import { decodeBuildText } from "./share-code.ts";
import { type Element, findChild, findChildren, parseXml } from "./xml.ts";

export type BuildSummary = CallerOutput<(typeof pob)["procedures"]["parseBuild"]>;
type PassiveTree = NonNullable<BuildSummary["tree"]>;
type SkillGroup = BuildSummary["skills"][number];

export type ParsedBuild =
  | { readonly ok: true; readonly xml: string; readonly root: Element }
  | { readonly ok: false; readonly why: string };

/** XML or share code to a tree of elements whose root is a build. */
export const readBuild = (text: string): ParsedBuild => {
  const decoded = decodeBuildText(text);
  if (!decoded.ok) return { ok: false, why: `the share code cannot be read: ${decoded.why}` };
  const parsed = parseXml(decoded.xml);
  if (!parsed.ok) return { ok: false, why: `the XML cannot be read: ${parsed.why}` };
  if (parsed.root.name === "PathOfBuilding2" || isForPoe2(parsed.root)) return { ok: false, why: forPoe2 };
  return parsed.root.name === "PathOfBuilding"
    ? { ok: true, xml: decoded.xml, root: parsed.root }
    : { ok: false, why: `its root is <${parsed.root.name.slice(0, 40)}>, not <PathOfBuilding>` };
};

/** Its trees are of versions 0_1 and later, where those of the first game begin with 2 or 3. */
const isForPoe2 = (root: Element): boolean => /^0_\d/.test(activeSpec(root)?.attributes.treeVersion ?? "");

const forPoe2 =
  "it is a build of Path of Exile 2, which Path of Building for Path of Exile 2 reads; this is for Path of Exile 1";

export const summarizeBuild = (root: Element): BuildSummary => {
  const build = findChild(root, "Build");
  const attributes = build?.attributes ?? {};
  const skills = readSkills(root);
  return {
    level: parseInteger(attributes.level, 1),
    className: attributes.className ?? "",
    ascendancy: emptyToNull(attributes.ascendClassName),
    mainSkill: findMainSkill(skills, parseInteger(attributes.mainSocketGroup, 1)),
    tree: readTree(root),
    skills,
    items: readItems(root),
    notes: (findChild(root, "Notes")?.text ?? "").trim().slice(0, 2_000),
    storedStats: build === undefined ? {} : readStoredStats(build),
  };
};

/** The active passive tree. */
export const readTree = (root: Element): PassiveTree | null => {
  const spec = activeSpec(root);
  if (spec === undefined) return null;
  const { attributes } = spec;
  return {
    treeVersion: attributes.treeVersion ?? "",
    classId: parseInteger(attributes.classId, 0),
    ascendClassId: parseInteger(attributes.ascendClassId, 0),
    secondaryAscendClassId: parseInteger(attributes.secondaryAscendClassId, 0),
    nodes: [...new Set(parseNodeIds(attributes.nodes ?? ""))].toSorted((a, b) => a - b),
    masteryEffects: Object.fromEntries(
      [...(attributes.masteryEffects ?? "").slice(0, 16_384).matchAll(/\{(\d+),(\d+)\}/g)].map(
        ([, node = "", effect]) => [node, Number(effect)],
      ),
    ),
  };
};

/** Configuration options that are set, as text. */
export const readConfig = (root: Element): ReadonlyMap<string, string> => {
  const active = activeConfig(root);
  if (active === undefined) return new Map();
  return new Map(
    findChildren(active, "Input").map(({ attributes: { name = "", number, string, boolean } }) => [
      name,
      number ?? string ?? boolean ?? "",
    ]),
  );
};

const readSkills = (root: Element): SkillGroup[] => {
  const active = activeSkills(root);
  if (active === undefined) return [];
  return findChildren(active, "Skill").map((group) => ({
    label: group.attributes.label ?? "",
    slot: emptyToNull(group.attributes.slot),
    enabled: group.attributes.enabled !== "false",
    gems: findChildren(group, "Gem").map(({ attributes }) => ({
      name: attributes.nameSpec ?? attributes.skillId ?? "",
      level: parseInteger(attributes.level, 1),
      quality: parseInteger(attributes.quality, 0),
      enabled: attributes.enabled !== "false",
    })),
  }));
};

const findMainSkill = (groups: readonly SkillGroup[], main: number): string | null =>
  groups[main - 1]?.gems.find(({ enabled }) => enabled)?.name ?? null;

const readItems = (root: Element): BuildSummary["items"] => {
  const [items, active] = [findChild(root, "Items"), activeItems(root)];
  if (items === undefined || active === undefined) return [];
  const worn = new Map(
    findChildren(active, "Slot").map(({ attributes }) => [attributes.itemId ?? "", attributes.name ?? ""] as const),
  );
  return findChildren(items, "Item")
    .map(({ attributes, text }) => {
      const { rarity, name } = parseItemNames(text);
      return { slot: emptyToNull(worn.get(attributes.id ?? "")), rarity, name };
    })
    .toSorted((a, b) => Number(a.slot === null) - Number(b.slot === null));
};

/** An item's text begins with its rarity, then its name, then, for rare and unique ones, its base. */
export const parseItemNames = (
  text: string,
): { readonly rarity: string; readonly name: string; readonly base: string } => {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const at = lines.findIndex((line) => line.startsWith("Rarity:"));
  const rarity = lines[at]?.slice("Rarity:".length).trim() ?? "";
  const name = (lines[at + 1] ?? "").slice(0, 200);
  return { rarity, name, base: /^(RARE|UNIQUE|RELIC)$/i.test(rarity) ? (lines[at + 2] ?? "").slice(0, 200) : name };
};

const readStoredStats = (build: Element): Record<string, number> =>
  Object.fromEntries(
    findChildren(build, "PlayerStat")
      .map(({ attributes }) => [attributes.stat ?? "", Number(attributes.value)] as const)
      .filter(([name, value]) => name !== "" && Number.isFinite(value)),
  );

const parseInteger = (text: string | undefined, otherwise: number): number => {
  const value = Number(text);
  return text !== undefined && text.trim() !== "" && Number.isSafeInteger(value) ? value : otherwise;
};

const emptyToNull = (text: string | undefined): string | null =>
  text === undefined || text === "" || text === "None" ? null : text;

/** One more than may be is enough to see that there are too many. */
const parseNodeIds = (text: string): readonly number[] =>
  text
    .split(",", maxNodes + 1)
    .map((part) => part.trim())
    .filter((part) => /^\d{1,10}$/.test(part))
    .map(Number)
    .filter((id) => id <= 2_147_483_647);
