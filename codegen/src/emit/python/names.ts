/** What Python callers call a service's class, its methods and their arguments. Pure: what is generated and what is shown of it agree. */
import { pascalCase, snakeCase } from "../../model/letter-case.ts";
import { isPythonBuiltin } from "../../names/reserved.ts";
import { escapeName, isPythonName } from "./text.ts";

/** The class of a service; another name where the module has a type that is called so. */
export const pythonClass = (service: string, taken: ReadonlySet<string>): string => {
  const base = pascalCase(service);
  return taken.has(base) || taken.has(`Async${base}`) ? `${base}Service` : base;
};

/** Members that every service has. */
const ownMembers: ReadonlySet<string> = new Set(["with_options", "find_run"]);

/** A method hides what it is called like from the signatures below it, and none of them has these two. */
const notInSignatures: ReadonlySet<string> = new Set(["dict", "list"]);

const isTaken = (name: string): boolean =>
  ownMembers.has(name) || (isPythonBuiltin(name) && !notInSignatures.has(name));

/** The method of what is called so in snake case. */
export const pythonMethod = (snake: string): string => escapeName(snake, isTaken);

/** By procedure: `resolveAttack` is `resolve_attack`; where two come to one name, each keeps its own. */
export const snakeNames = (procedures: readonly string[]): ReadonlyMap<string, string> => {
  const groups = Map.groupBy(procedures, snakeCase);
  return new Map(
    [...groups].flatMap(([snake, group]) => group.map((each) => [each, group.length === 1 ? snake : each] as const)),
  );
};

/** The keyword argument of each field; `undefined` where a field can be none, and the input is one argument. */
export const pythonArguments = (fields: readonly string[]): ReadonlyMap<string, string> | undefined => {
  const names = new Map(fields.map((field) => [field, escapeName(field, (name) => name === "self")]));
  const isNameable = [...names.values()].every(isPythonName) && new Set(names.values()).size === names.size;
  return isNameable ? names : undefined;
};
