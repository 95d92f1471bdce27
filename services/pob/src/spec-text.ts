/** Puts another passive tree into a build's XML, as text: the attributes of the active `Spec` are replaced, everything else stays. */
import type { TreeInput } from "./engine.ts";

export const withTree = (xml: string, tree: TreeInput): string => {
  const [treeTag = ""] = /<Tree\b[^>]*>/.exec(xml) ?? [];
  const active = Number(/\bactiveSpec="(\d+)"/.exec(treeTag)?.[1] ?? 1);
  let seen = 0;
  return xml.replace(/<Spec\b[^>]*>/g, (tag) => (++seen === active ? replaced(tag, tree) : tag));
};

const replaced = (tag: string, tree: TreeInput): string => {
  const masteries = Object.entries(tree.masteryEffects ?? {}).map(([node, effect]) => `{${node},${effect}}`);
  const attributes: readonly (readonly [string, string | undefined])[] = [
    ["classId", String(tree.classId)],
    ["ascendClassId", String(tree.ascendClassId)],
    ["secondaryAscendClassId", String(tree.secondaryAscendClassId ?? 0)],
    ["nodes", tree.nodes.join(",")],
    ["masteryEffects", masteries.join(",")],
    ["treeVersion", tree.treeVersion],
  ];
  return attributes.reduce(
    (text, [name, value]) => (value === undefined ? text : withAttribute(text, name, value)),
    tag,
  );
};

const withAttribute = (tag: string, name: string, value: string): string => {
  const attribute = ` ${name}="${value}"`;
  let isThere = false;
  const changed = tag.replace(/\s(\w+)="[^"]*"/g, (whole, found: string) => {
    if (found !== name) return whole;
    isThere = true;
    return attribute;
  });
  return isThere ? changed : changed.replace(/^<Spec/, (start) => start + attribute);
};
