/** Judges a contract's command-line verbs: their names, and that each calls procedures and fills fields that there are. */
import type { NamedVerb, VerbInput, VerbNotFound, VerbStep } from "@fairlead/contracts";
import { ownCommands } from "@fairlead/contracts";
import { type Diagnostic, type DiagnosticPlace, diagnostic } from "../model/diagnostics.ts";
import type { ProcedureModel, ServiceModel } from "../model/model.ts";
import { inputField } from "../model/verb.ts";
import { checkViews } from "./verb-view.ts";

export const checkVerbs = (service: ServiceModel): readonly Diagnostic[] =>
  service.verbs.flatMap((verb) => {
    const at = { source: service.source, where: `${service.id} verb ${JSON.stringify(verb.name)}` };
    return [
      ...checkName(verb, at),
      ...checkCalls(verb, service.procedures, at),
      ...checkFields(verb, service, at),
      ...checkViews(verb, service, at),
    ];
  });

const checkName = ({ name }: NamedVerb, at: DiagnosticPlace): readonly Diagnostic[] => {
  const [first = ""] = name.split(" ");
  if (!/^[a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)?$/.test(name)) {
    const message = `the name ${JSON.stringify(name)} is not one or two words of a to z, 0 to 9 and -`;
    return [diagnostic("verb_name_invalid", at, { message, fix: "name it like `session start`" })];
  }
  if (!ownCommands.includes(first)) return [];
  const message = `\`fairlead ${first}\` is a command of Fairlead itself`;
  return [diagnostic("verb_name_invalid", at, { message, fix: "begin it with another word" })];
};

/** Every call that a verb may make, with its input where that is written out. */
interface VerbCall {
  readonly call: string;
  readonly input: VerbStep["input"];
  readonly kinds: readonly ProcedureModel["kind"][];
}

const once = ["query", "mutation"] as const;

const callsIn = ({ steps, watch }: NamedVerb): readonly VerbCall[] => [
  ...steps.flatMap(({ call, input, absent, errors }) => [
    { call, input, kinds: once },
    ...[absent, ...Object.values(errors ?? {})].flatMap(listCall),
  ]),
  ...(watch === undefined ? [] : [{ call: watch.call, input: watch.input, kinds: ["subscription"] as const }]),
];

const listCall = (failure: VerbNotFound | object | undefined): readonly VerbCall[] =>
  failure !== undefined && "known" in failure && typeof failure.known === "object"
    ? [{ call: failure.known.call, input: {}, kinds: once }]
    : [];

const checkCalls = (
  verb: NamedVerb,
  procedures: readonly ProcedureModel[],
  at: DiagnosticPlace,
): readonly Diagnostic[] =>
  callsIn(verb).flatMap(({ call, input, kinds }) => {
    const procedure = procedures.find(({ name }) => name === call);
    if (procedure === undefined || !kinds.includes(procedure.kind)) {
      const message =
        procedure === undefined
          ? `the contract has no procedure \`${call}\``
          : `\`${call}\` is a ${procedure.kind}, and the verb needs a ${kinds.join(" or ")}`;
      return [diagnostic("verb_procedure_unknown", at, { message, fix: fixWith(procedures.map(({ name }) => name)) })];
    }
    return writtenInputs(input)
      .flatMap((written) => (typeof written === "object" ? Object.keys(written) : []))
      .flatMap((field) => unknownField(procedure, field, at));
  });

const writtenInputs = (input: VerbStep["input"]): readonly VerbInput[] => {
  if (input === undefined) return [];
  return isCases(input) ? input.map((one) => one.input) : [input];
};

const isCases = (input: NonNullable<VerbStep["input"]>): input is Exclude<typeof input, VerbInput> =>
  Array.isArray(input);

/** Arguments, flags and data fill the input of the steps that write out none. */
const checkFields = (verb: NamedVerb, { procedures }: ServiceModel, at: DiagnosticPlace): readonly Diagnostic[] => {
  const values = [...(verb.arguments ?? []), ...(verb.flags ?? []), ...(verb.data === undefined ? [] : [verb.data])];
  const fields = values.flatMap(({ field }) => (field === undefined ? [] : [field]));
  const filled = procedures.filter(({ name }) => verb.steps.some(({ call, input }) => call === name && !input));
  return filled.flatMap((procedure) => fields.flatMap((field) => unknownField(procedure, field, at)));
};

const unknownField = (procedure: ProcedureModel, field: string, at: DiagnosticPlace): readonly Diagnostic[] => {
  if (inputField(procedure, field) !== undefined) return [];
  const message = `the input of ${procedure.fullName} has no field \`${field}\``;
  const known = Object.keys(procedure.input.json.properties ?? {});
  return [diagnostic("verb_field_unknown", at, { message, fix: fixWith(known) })];
};

const fixWith = (known: readonly string[]): string =>
  known.length === 0 ? "remove it" : `use one of ${known.join(", ")}`;
