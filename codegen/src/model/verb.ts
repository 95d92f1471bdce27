/**
 * A contract's command-line verbs with their names, their service, and what each argument and flag takes, which is read off the input's
 * schema. Not here: whether they fit the contract (`check/verb`).
 */
import type { Contract, NamedVerb, VerbArgument, VerbFlag, VerbValueKind } from "@fairlead/contracts";
import { defName, isSchema, type JsonSchema } from "../schema/json-schema.ts";
import type { LoweredSchema } from "../schema/lower.ts";

/** A procedure, as far as verbs read it. */
interface VerbTarget {
  readonly name: string;
  readonly input: LoweredSchema;
}

export const verbsIn = (contract: Contract, procedures: readonly VerbTarget[]): readonly NamedVerb[] =>
  Object.entries(contract.verbs ?? {}).map(([name, verb]) => {
    const input = verb.steps.at(0)?.call;
    const procedure = procedures.find((each) => each.name === input);
    const resolve = <V extends VerbArgument | VerbFlag>(value: V): V => ({ ...valueType(value, procedure), ...value });
    return {
      name,
      service: contract.id,
      ...verb,
      ...(verb.arguments !== undefined && { arguments: verb.arguments.map(resolve) }),
      ...(verb.flags !== undefined && { flags: verb.flags.map(resolve) }),
    };
  });

type ValueType = Pick<VerbFlag, "kind" | "choices">;

const valueType = ({ field }: VerbFlag | VerbArgument, procedure: VerbTarget | undefined): ValueType => {
  const schema = field === undefined ? undefined : inputField(procedure, field);
  if (schema === undefined) return { kind: "text" };
  const choices = (schema.enum ?? []).filter((value) => typeof value === "string");
  return { kind: valueKind(schema), ...(choices.length > 0 && { choices }) };
};

const kinds: Readonly<Record<string, VerbValueKind>> = {
  boolean: "switch",
  integer: "number",
  number: "number",
  array: "list",
  object: "pairs",
};

const valueKind = ({ type }: JsonSchema): VerbValueKind =>
  (typeof type === "string" ? kinds[type] : undefined) ?? "text";

/** The schema of a field of a procedure's input, references followed; `undefined` where there is no such field. */
export const inputField = (procedure: VerbTarget | undefined, field: string): JsonSchema | undefined => {
  const root = procedure?.input.json;
  const found = root?.properties?.[field];
  if (found?.$ref === undefined) return found;
  const target = root?.$defs?.[defName(found.$ref) ?? ""];
  return isSchema(target) ? target : found;
};
