/**
 * Declared errors as Python exceptions: a class a reason, which extends the class of its code and types its data. Procedures that declare one
 * reason differently have a class each, and the reason's name stands for all of them in an `except`.
 */
import { pascalCase } from "../../model/letter-case.ts";
import type { ErrorModel, ProcedureModel, ServiceModel } from "../../model/model.ts";
import type { LoweredSchema } from "../../schema/lower.ts";
import { docString, indentPython, pythonString } from "./text.ts";

/** An exception of a service's module. */
export interface PythonError {
  readonly name: string;
  readonly reason: string;
  readonly code: string;
  /** The procedures that raise it. */
  readonly procedures: ReadonlySet<ProcedureModel>;
  readonly whens: readonly string[];
  readonly data?: LoweredSchema;
}

export const listPythonErrors = (service: ServiceModel): readonly PythonError[] => {
  const reasons = new Map<string, [ErrorUse, ...ErrorUse[]]>();
  for (const procedure of service.procedures)
    for (const error of procedure.errors) {
      const known = reasons.get(error.reason);
      if (known === undefined) reasons.set(error.reason, [[procedure, error]]);
      else known.push([procedure, error]);
    }
  return [...reasons].flatMap(([reason, uses]) => {
    const isOne = new Set(uses.map(([, { code, data }]) => JSON.stringify([code, data?.json]))).size === 1;
    const groups = isOne ? [uses] : uses.map((use): readonly [ErrorUse] => [use]);
    return groups.map((group) => describeError(reason, group, isOne));
  });
};

type ErrorUse = readonly [ProcedureModel, ErrorModel];

const describeError = (reason: string, uses: readonly [ErrorUse, ...ErrorUse[]], isOne: boolean): PythonError => {
  const [procedure, { code, data }] = uses[0];
  return {
    name: `${isOne ? "" : pascalCase(procedure.name)}${pascalCase(reason)}Error`,
    reason,
    code,
    procedures: new Set(uses.map(([each]) => each)),
    whens: [...new Set(uses.map(([, { when }]) => when))],
    ...(data !== undefined && { data }),
  };
};

export const printErrorClass = ({ name, code, whens, data }: PythonError): string => {
  const words = docString(whens.map((when) => `When ${when}.`).join("\n"));
  const typed = `@property\ndef data(self) -> ${name}Data:\n    return cast("${name}Data", self.wire.data)`;
  const body = data === undefined ? words : `${words}\n\n${typed}`;
  return `class ${name}(fairlead.${pascalCase(code)}Error):\n${indentPython(body)}`;
};

/** For a reason that procedures declare differently: one name for all its classes, as `except` takes them. */
export const printErrorGroups = (errors: readonly PythonError[]): readonly string[] =>
  [...Map.groupBy(errors, ({ reason }) => reason)].flatMap(([reason, group]) =>
    group.length === 1 ? [] : [`${pascalCase(reason)}Error = (${group.map(({ name }) => name).join(", ")})`],
  );

/** The classes of the errors of one procedure, by reason. */
export const errorTable = (procedure: ProcedureModel, errors: readonly PythonError[]): string => {
  const own = errors.filter(({ procedures }) => procedures.has(procedure));
  return own.length === 0
    ? ""
    : `, errors={${own.map(({ reason, name }) => `${pythonString(reason)}: ${name}`).join(", ")}}`;
};
