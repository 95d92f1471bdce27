/** Finds formulas: the six built in, and those in the project's `.promptwheel/formulas`, which win over built-in ones of the same name. */
import { readdirSync, readFileSync } from "node:fs";
import { plainPath, readInside } from "../project/safe-file.ts";
import { type Formula, type FormulaVerdict, isFormulaName, maxFormulaBytes, readFormula } from "./formula.ts";

const builtinNames = ["security-audit", "test-coverage", "type-safety", "cleanup", "deep", "docs"] as const;

const builtinFolder = new URL("../../formulas/", import.meta.url);

/** Files of a user's folder that are read. */
const maxFiles = 200;

interface FormulaCatalog {
  readonly formulas: readonly (Formula & { readonly builtin: boolean })[];
  readonly unreadable: readonly { readonly name: string; readonly why: string }[];
}

/** All formulas by name. `home` is the real path of `.promptwheel`. */
export const listFormulas = (home: string): FormulaCatalog => {
  const own = listCustomNames(home).map((name) => ({ name, verdict: readCustom(home, name) }));
  const taken = new Set(own.filter(({ verdict }) => verdict.ok).map(({ name }) => name));
  const builtin = builtinNames.filter((name) => !taken.has(name)).map((name) => ({ name, verdict: readBuiltin(name) }));
  return {
    formulas: [
      ...own.flatMap(({ verdict }) => (verdict.ok ? [{ ...verdict.formula, builtin: false }] : [])),
      ...builtin.flatMap(({ verdict }) => (verdict.ok ? [{ ...verdict.formula, builtin: true }] : [])),
    ].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    unreadable: [...own, ...builtin].flatMap(({ name, verdict }) => (verdict.ok ? [] : [{ name, why: verdict.why }])),
  };
};

/** The built-in formulas, for the documentation. */
export const listBuiltinFormulas = (): readonly Formula[] =>
  builtinNames.map(readBuiltin).flatMap((verdict) => (verdict.ok ? [verdict.formula] : []));

/** One formula; `undefined` when there is none of that name. */
export const findFormula = (home: string, name: string): FormulaVerdict | undefined => {
  if (!isFormulaName(name)) return undefined;
  if (listCustomNames(home).includes(name)) return readCustom(home, name);
  return builtinNames.some((builtin) => builtin === name) ? readBuiltin(name) : undefined;
};

const listCustomNames = (home: string): readonly string[] => {
  try {
    return readdirSync(plainPath(home, "formulas"))
      .flatMap((file) => (file.endsWith(".yaml") ? [file.slice(0, -".yaml".length)] : []))
      .filter(isFormulaName)
      .toSorted()
      .slice(0, maxFiles);
  } catch {
    return [];
  }
};

const readCustom = (home: string, name: string): FormulaVerdict => {
  const found = readInside(home, `formulas/${name}.yaml`, maxFormulaBytes);
  if (found.kind === "text") return readFormula(name, found.text);
  return { ok: false, why: found.kind === "refused" ? found.why : "the file is gone" };
};

const readBuiltin = (name: string): FormulaVerdict =>
  readFormula(name, readFileSync(new URL(`${name}.yaml`, builtinFolder), "utf8"));
