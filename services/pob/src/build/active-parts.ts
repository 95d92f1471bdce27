/** Which of a build's trees, skill sets, item sets and configurations counts, as Path of Building chooses it. */
import { type Element, findChild, findChildren } from "./xml.ts";

export const activeSpec = (root: Element): Element | undefined => {
  const tree = findChild(root, "Tree");
  if (tree === undefined) return undefined;
  const specs = findChildren(tree, "Spec");
  return specs[Number(tree.attributes.activeSpec ?? 1) - 1] ?? specs[0];
};

/** The set, or in files of old the part itself. */
const selectActive = (part: string, set: string, attribute: string) => (root: Element) => {
  const all = findChild(root, part);
  if (all === undefined) return undefined;
  const sets = findChildren(all, set);
  return sets.find(({ attributes }) => attributes.id === all.attributes[attribute]) ?? sets[0] ?? all;
};

export const activeSkills = selectActive("Skills", "SkillSet", "activeSkillSet");
export const activeItems = selectActive("Items", "ItemSet", "activeItemSet");
export const activeConfig = selectActive("Config", "ConfigSet", "activeConfigSet");
