/**
 * What is wrong with a build, found in its XML alone, so that Path of Building is never given one that would spoil its process.
 */
import type { CallerOutput } from "@fairlead/contracts";
import type { pob } from "@fairlead/contracts/pob";
import { maxNodes } from "./limits.ts";
import { type ParsedBuild, readBuild, readTree } from "./summary.ts";
import { type Element, findChild, findChildren } from "./xml.ts";

type Validation = CallerOutput<(typeof pob)["procedures"]["validateBuild"]>;
type Problem = Validation["problems"][number];

const exportAgain = "export the build again from Path of Building";

/** `trees`: versions that the running copy knows; not checked when left out. */
export const validateText = (text: string, trees?: readonly string[]): Validation =>
  validateBuild(readBuild(text), trees);

/** The same for a build that was read already. */
export const validateBuild = (read: ParsedBuild, trees?: readonly string[]): Validation => {
  const problems = read.ok ? findProblems(read.root, trees) : [error("build", read.why, exportAgain)];
  const sorted = problems.toSorted((a, b) => Number(a.severity === "warning") - Number(b.severity === "warning"));
  return { valid: problems.every(({ severity }) => severity === "warning"), problems: sorted.slice(0, 50) };
};

const findProblems = (root: Element, trees: readonly string[] | undefined): Problem[] => {
  const build = findChild(root, "Build");
  if (build === undefined) return [error("Build", "there is no <Build> element", exportAgain)];
  return [...buildProblems(build), ...treeProblems(root, trees), ...referenceProblems(root)];
};

const buildProblems = ({ attributes }: Element): Problem[] => {
  const { targetVersion, level } = attributes;
  const problems: Problem[] = [];
  if (targetVersion !== "3_0") {
    const said =
      targetVersion === undefined ? "has no targetVersion" : `is for game version ${targetVersion.slice(0, 20)}`;
    problems.push(
      error(
        "Build",
        `it ${said}; Path of Building reads 3_0 only`,
        "open it in Path of Building, which converts it, and export it again",
      ),
    );
  }
  const value = Number(level);
  if (!Number.isInteger(value) || value < 1 || value > 100) {
    problems.push(warning("Build", "its level is not a whole number from 1 to 100", "set the attribute level"));
  }
  return problems;
};

const treeProblems = (root: Element, trees: readonly string[] | undefined): Problem[] => {
  const element = findChild(root, "Tree");
  const tree = readTree(root);
  if (element === undefined || tree === null)
    return [warning("Tree", "it has no passive tree", "add one, or Path of Building begins with an empty one")];
  const problems: Problem[] = [];
  for (const { attributes } of findChildren(element, "Spec")) {
    const version = attributes.treeVersion ?? "";
    if (!/^\d+_\d+(?:[A-Za-z_]\w*)?$/.test(version)) problems.push(error("Tree", "a tree has no version", exportAgain));
    else if (trees !== undefined && !trees.includes(version)) {
      problems.push(
        error(
          "Tree",
          `tree version ${version.slice(0, 20)} is not known`,
          "update Path of Building, or convert the tree",
        ),
      );
    }
  }
  if (tree.nodes.length > maxNodes) problems.push(error("Tree", `it has more than ${maxNodes} nodes`, exportAgain));
  return problems;
};

/** What points at something that is not there. */
const referenceProblems = (root: Element): Problem[] => {
  const items = findChild(root, "Items");
  if (items === undefined) return [];
  const ids = new Set(findChildren(items, "Item").map(({ attributes }) => attributes.id));
  return findChildren(items, "ItemSet")
    .flatMap((set) => findChildren(set, "Slot"))
    .filter(({ attributes: { itemId } }) => itemId !== undefined && itemId !== "0" && !ids.has(itemId))
    .map(({ attributes }) =>
      warning(
        "Items",
        `slot ${(attributes.name ?? "").slice(0, 40)} wears an item that is not in the list`,
        "put an item there again",
      ),
    );
};

const error = (where: string, message: string, fix: string): Problem => ({ severity: "error", where, message, fix });
const warning = (where: string, message: string, fix: string): Problem => ({
  severity: "warning",
  where,
  message,
  fix,
});
