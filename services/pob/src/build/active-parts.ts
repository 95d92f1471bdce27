/** Which of a build's trees, skill sets, item sets and configurations counts, as Path of Building chooses it. */
import { childOf, childrenOf, type Element } from "./xml.ts";

export const activeSpec = (root: Element): Element | undefined => {
  const tree = childOf(root, "Tree");
  if (tree === undefined) return undefined;
  const specs = childrenOf(tree, "Spec");
  return specs[Number(tree.attributes.activeSpec ?? 1) - 1] ?? specs[0];
};

/** The set, or in files of old the part itself. */
const activeOf = (part: string, set: string, attribute: string) => (root: Element) => {
  const all = childOf(root, part);
  if (all === undefined) return undefined;
  const sets = childrenOf(all, set);
  return sets.find(({ attributes }) => attributes.id === all.attributes[attribute]) ?? sets[0] ?? all;
};

export const activeSkills = activeOf("Skills", "SkillSet", "activeSkillSet");
export const activeItems = activeOf("Items", "ItemSet", "activeItemSet");
export const activeConfig = activeOf("Config", "ConfigSet", "activeConfigSet");
