/** Items, skills and configuration of a build with the numbers that changes take, read from the XML that Path of Building exports. */
import { activeConfig, activeItems, activeSkills } from "../../build/active-parts.ts";
import { parseItemNames, summarizeBuild } from "../../build/summary.ts";
import { type Element, findChild, findChildren } from "../../build/xml.ts";
import type { BuildParts } from "../engine.ts";

/** A fork's protocol does not say what it did not understand. */
export const notChecked: BuildParts["notices"][number] = {
  kind: "not_checked",
  where: "build",
  text: "",
  message: "this fork does not say which lines it did not understand; POB_DRIVER=shim does, on the same checkout",
};

export const readParts = (root: Element): BuildParts => ({
  items: readItems(root),
  groups: readGroups(root),
  config: readOptions(root),
  notices: [notChecked],
});

const readItems = (root: Element): BuildParts["items"] => {
  const [items, active] = [findChild(root, "Items"), activeItems(root)];
  if (items === undefined || active === undefined) return [];
  const texts = new Map(findChildren(items, "Item").map(({ attributes, text }) => [attributes.id ?? "", text.trim()]));
  return findChildren(active, "Slot").flatMap(({ attributes }) => {
    const text = texts.get(attributes.itemId ?? "");
    return text === undefined ? [] : [{ slot: attributes.name ?? "", ...parseItemNames(text), text }];
  });
};

const readGroups = (root: Element): BuildParts["groups"] => {
  const main = Number(findChild(root, "Build")?.attributes.mainSocketGroup ?? 1);
  const active = activeSkills(root);
  const elements = active === undefined ? [] : findChildren(active, "Skill");
  return summarizeBuild(root).skills.map(({ label, slot, enabled, gems }, index) => ({
    group: index + 1,
    ...(label !== "" && { label }),
    ...(slot !== null && { slot }),
    enabled,
    main: index + 1 === main,
    inFullDps: elements[index]?.attributes.includeInFullDPS === "true",
    gems,
  }));
};

const readOptions = (root: Element): BuildParts["config"] => {
  const active = activeConfig(root);
  return Object.fromEntries(
    (active === undefined ? [] : findChildren(active, "Input")).flatMap(({ attributes }) => {
      const { name = "", number, boolean, string } = attributes;
      const value = number !== undefined ? Number(number) : boolean !== undefined ? boolean === "true" : string;
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
};
