/**
 * Puts changes into a build's XML, for a fork, whose own edits cannot be used: it loads the build with the changes in it. Everything
 * else stays as it was, character by character.
 *
 * Only what the XML says can be checked here; whether a gem or an item exists is seen after loading (`findRefusedChange`).
 */
import { didYouMean } from "@fairlead/contracts/did-you-mean";
import { activeConfig, activeItems, activeSkills, activeSpec } from "../../build/active-parts.ts";
import { readTree } from "../../build/summary.ts";
import { type Element, findChild, findChildren, parseXml } from "../../build/xml.ts";
import { type Attributes, createXmlEditor, emptyElement, textElement, type XmlEditor } from "../../build/xml-edit.ts";
import type { BuildChanges, TreeInput } from "../engine.ts";

export type ChangedBuild = { readonly ok: true; readonly xml: string } | { readonly ok: false; readonly why: string };

/** The build with another passive tree. */
export const withTree = (xml: string, tree: TreeInput): ChangedBuild =>
  editBuild(xml, (root, edit) => {
    const spec = activeSpec(root);
    if (spec === undefined) return "the build has no passive tree";
    edit.set(spec, {
      classId: String(tree.classId),
      ascendClassId: String(tree.ascendClassId),
      secondaryAscendClassId: String(tree.secondaryAscendClassId ?? 0),
      nodes: tree.nodes.join(","),
      masteryEffects: formatMasteries(tree.masteryEffects ?? {}),
      ...(tree.treeVersion !== undefined && { treeVersion: tree.treeVersion }),
    });
    return undefined;
  });

/** The build with these changes, or why they cannot be made. */
export const withChanges = (xml: string, changes: BuildChanges): ChangedBuild =>
  editBuild(xml, (root, edit) => {
    const problems = [
      changeHead(root, edit, changes),
      changeNodes(root, edit, changes),
      ...(changes.items ?? []).map((change, index) => changeItem(root, edit, { ...change, index })),
      ...changeGems(root, edit, changes.gems ?? []),
      ...Object.entries(changes.config ?? {}).map(([name, value]) => changeOption(root, edit, { name, value })),
    ];
    return problems.find((problem) => problem !== undefined);
  });

/** Which change Path of Building did not take over, seen in what it made of the build; nothing when it took all. */
export const findRefusedChange = (xml: string, changes: BuildChanges): string | undefined => {
  const parsed = parseXml(xml);
  if (!parsed.ok) return parsed.why;
  const { root } = parsed;
  const items = (changes.items ?? []).find(
    ({ slot, text }) => (findItemInSlot(root, slot) === undefined) !== (text === undefined),
  );
  if (items !== undefined) return `the item does not go into ${items.slot}, or its base is unknown to Path of Building`;
  const gem = (changes.gems ?? []).find(
    (one) => one.remove !== true && one.name !== undefined && findGem(root, one)?.attributes.gemId === undefined,
  );
  return gem === undefined ? undefined : `there is no gem ${gem.name}`;
};

const editBuild = (xml: string, make: (root: Element, edit: XmlEditor) => string | undefined): ChangedBuild => {
  const parsed = parseXml(xml);
  if (!parsed.ok) return parsed;
  const edit = createXmlEditor(xml);
  const why = make(parsed.root, edit);
  return why === undefined ? { ok: true, xml: edit.text() } : { ok: false, why };
};

const changeHead = (root: Element, edit: XmlEditor, { level, mainSocketGroup }: BuildChanges): string | undefined => {
  const build = findChild(root, "Build");
  if (build === undefined) return "there is no <Build> element";
  if (level !== undefined) edit.set(build, { level: String(level), characterLevelAutoMode: "false" });
  if (mainSocketGroup === undefined) return undefined;
  if (findGroup(root, mainSocketGroup) === undefined) return `there is no skill group ${mainSocketGroup}`;
  edit.set(build, { mainSocketGroup: String(mainSocketGroup) });
  return undefined;
};

const changeNodes = (
  root: Element,
  edit: XmlEditor,
  { addNodes = [], removeNodes = [], masteryEffects = {} }: BuildChanges,
): string | undefined => {
  const [spec, tree] = [activeSpec(root), readTree(root)];
  if (spec === undefined || tree === null) return "the build has no passive tree";
  const nodes = [...tree.nodes.filter((id) => !removeNodes.includes(id)), ...addNodes];
  edit.set(spec, {
    nodes: nodes.join(","),
    masteryEffects: formatMasteries({ ...tree.masteryEffects, ...masteryEffects }),
  });
  return undefined;
};

type ItemChange = NonNullable<BuildChanges["items"]>[number] & { readonly index: number };

const changeItem = (root: Element, edit: XmlEditor, { slot, text, index }: ItemChange): string | undefined => {
  const [items, found] = [findChild(root, "Items"), findSlot(root, slot)];
  if (items === undefined || found === undefined) return explainMissingSlot(root, slot);
  const ids = findChildren(items, "Item").map(({ attributes }) => Number(attributes.id));
  const id = text === undefined ? "0" : String(Math.max(0, ...ids) + 1 + index);
  if (text !== undefined) edit.append(items, textElement("Item", { id }, `\n${text}\n`));
  edit.set(found, { itemId: id });
  return undefined;
};

const explainMissingSlot = (root: Element, slot: string): string => {
  const known = listSlots(root).flatMap(({ attributes: { name } }) => (name === undefined ? [] : [name]));
  const near = didYouMean(slot, known);
  const advice =
    near === undefined ? `; there are ${known.slice(0, mostSlotsListed).join(", ")}` : `; did you mean ${near}?`;
  return `there is no slot ${slot}${known.length === 0 ? "" : advice}`;
};

const mostSlotsListed = 120;

type GemChange = NonNullable<BuildChanges["gems"]>[number];

const changeGems = (root: Element, edit: XmlEditor, changes: readonly GemChange[]): readonly (string | undefined)[] => {
  const twice = changes.find((one, index) =>
    changes.slice(0, index).some(({ group, gem }) => group === one.group && gem === one.gem),
  );
  return twice === undefined
    ? changes.map((change) => changeGem(root, edit, change))
    : [`group ${twice.group} has two changes for gem ${twice.gem}`];
};

const changeGem = (root: Element, edit: XmlEditor, change: GemChange): string | undefined => {
  const [group, gem] = [findGroup(root, change.group), findGem(root, change)];
  if (group === undefined) return `there is no skill group ${change.group}`;
  const places = findChildren(group, "Gem").length;
  if (gem === undefined && (change.remove === true || change.name === undefined || change.gem !== places + 1)) {
    return `group ${change.group} has no gem ${change.gem}; a new one goes to place ${places + 1}`;
  }
  if (gem === undefined) edit.append(group, emptyElement("Gem", { ...newGem, ...gemAttributes(change) }));
  else if (change.remove === true) edit.replace(gem, "");
  else if (change.name === undefined) edit.set(gem, gemAttributes(change));
  else {
    const { gemId: _id, skillId: _skill, variantId: _variant, ...rest } = gem.attributes;
    edit.replace(gem, emptyElement("Gem", { ...rest, ...gemAttributes(change) }));
  }
  return undefined;
};

const newGem: Attributes = {
  level: "20",
  quality: "0",
  enabled: "true",
  enableGlobal1: "true",
  enableGlobal2: "true",
  count: "1",
};

const gemAttributes = ({ name, level, quality, enabled }: GemChange): Attributes => ({
  ...(name !== undefined && { nameSpec: name }),
  ...(level !== undefined && { level: String(level) }),
  ...(quality !== undefined && { quality: String(quality) }),
  ...(enabled !== undefined && { enabled: String(enabled) }),
});

interface OptionChange {
  readonly name: string;
  readonly value: number | boolean | string | null;
}

const changeOption = (root: Element, edit: XmlEditor, { name, value }: OptionChange): string | undefined => {
  const config = activeConfig(root);
  if (config === undefined) return "the build has no configuration";
  const found = findChildren(config, "Input").find(({ attributes }) => attributes.name === name);
  const input = value === null ? "" : emptyElement("Input", { name, [typeof value]: String(value) });
  if (found !== undefined) edit.replace(found, input);
  else edit.append(config, input);
  return undefined;
};

const formatMasteries = (effects: Readonly<Record<string, number>>): string =>
  Object.entries(effects)
    .map(([node, effect]) => `{${node},${effect}}`)
    .join(",");

const findGroup = (root: Element, group: number): Element | undefined => {
  const skills = activeSkills(root);
  return skills === undefined ? undefined : findChildren(skills, "Skill")[group - 1];
};

const findGem = (root: Element, { group, gem }: GemChange): Element | undefined => {
  const found = findGroup(root, group);
  return found === undefined ? undefined : findChildren(found, "Gem")[gem - 1];
};

const listSlots = (root: Element): readonly Element[] => {
  const items = activeItems(root);
  return items === undefined ? [] : findChildren(items, "Slot");
};

const findSlot = (root: Element, name: string): Element | undefined =>
  listSlots(root).find(({ attributes }) => attributes.name === name);

/** The id of what is worn in a slot. */
const findItemInSlot = (root: Element, slot: string): string | undefined => {
  const id = findSlot(root, slot)?.attributes.itemId;
  return id === "0" || id === "" ? undefined : id;
};
