/** Items, skills and configuration of a build with the numbers that changes take, read from the XML that Path of Building exports. */
import { activeConfig, activeItems, activeSkills } from "../../build/active-parts.ts";
import { namesOf, summarise } from "../../build/build.ts";
import { childOf, childrenOf, type Element } from "../../build/xml.ts";
import type { Parts } from "../engine.ts";

export const partsOf = (root: Element): Parts => ({
  items: itemsOf(root),
  groups: groupsOf(root),
  config: configOf(root),
});

const itemsOf = (root: Element): Parts["items"] => {
  const [items, active] = [childOf(root, "Items"), activeItems(root)];
  if (items === undefined || active === undefined) return [];
  const texts = new Map(childrenOf(items, "Item").map(({ attributes, text }) => [attributes.id ?? "", text.trim()]));
  return childrenOf(active, "Slot").flatMap(({ attributes }) => {
    const text = texts.get(attributes.itemId ?? "");
    return text === undefined ? [] : [{ slot: attributes.name ?? "", ...namesOf(text), text }];
  });
};

const groupsOf = (root: Element): Parts["groups"] => {
  const main = Number(childOf(root, "Build")?.attributes.mainSocketGroup ?? 1);
  const active = activeSkills(root);
  const elements = active === undefined ? [] : childrenOf(active, "Skill");
  return summarise(root).skills.map(({ label, slot, enabled, gems }, index) => ({
    group: index + 1,
    ...(label !== "" && { label }),
    ...(slot !== null && { slot }),
    enabled,
    main: index + 1 === main,
    inFullDps: elements[index]?.attributes.includeInFullDPS === "true",
    gems,
  }));
};

const configOf = (root: Element): Parts["config"] => {
  const active = activeConfig(root);
  return Object.fromEntries(
    (active === undefined ? [] : childrenOf(active, "Input")).flatMap(({ attributes }) => {
      const { name = "", number, boolean, string } = attributes;
      const value = number !== undefined ? Number(number) : boolean !== undefined ? boolean === "true" : string;
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
};
