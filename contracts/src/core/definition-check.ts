/**
 * What a definition may say: every key at every depth, and the values of closed sets. A misspelt `retry` or `access` is refused where it is
 * written, in plain JavaScript too, instead of being passed over.
 *
 * Not here: types of values, verbs and other rules between fields than that of a key, which `fairlead gen` judges.
 */
import { codeNames } from "./code.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { ProcedurePlacement } from "./policy.ts";
import { asZod4, type Schema } from "./schema/schema.ts";
import { schemaDef } from "./schema/zod-def.ts";

/** Anything, one of these values, a map or list of alike parts, or an object of these fields. */
type DefinitionShape =
  | "any"
  | { readonly values: readonly unknown[] }
  | { readonly each: DefinitionShape }
  | { readonly fields: Readonly<Record<string, DefinitionShape>> };

const anyOf = (...names: readonly string[]): DefinitionShape => ({
  fields: Object.fromEntries(names.map((name) => [name, "any"] as const)),
});

export const errorShape: DefinitionShape = {
  fields: { code: { values: codeNames }, when: "any", data: "any", hint: "any" },
};

/** What `ask` and `confirm` take. */
export const questionShape: DefinitionShape = anyOf("when", "answer");
export const confirmShape: DefinitionShape = anyOf("when");

const runShape: DefinitionShape = {
  fields: {
    onRestart: { values: ["fail", "resume"] },
    attempts: "any",
    baseMs: "any",
    capMs: "any",
    deadlineMs: "any",
    concurrency: "any",
  },
};

const unrepeatedPolicy: Readonly<Record<string, DefinitionShape>> = {
  deadlineMs: "any",
  concurrency: "any",
  streams: "any",
  queue: "any",
  limits: anyOf("bytes", "depth", "keys", "items", "string"),
  outputLimits: anyOf("bytes", "depth"),
  breaker: anyOf("failures", "openMs"),
};

const policyShape: DefinitionShape = {
  fields: { ...unrepeatedPolicy, retry: anyOf("attempts", "baseMs", "capMs") },
};

const procedureFields: Readonly<Record<string, DefinitionShape>> = {
  kind: { values: ["query", "mutation", "subscription"] },
  retry: { values: ["safe", "idempotent", "keyed", "unsafe"] },
  summary: "any",
  description: "any",
  input: "any",
  output: "any",
  errors: { each: errorShape },
  examples: { each: anyOf("summary", "input") },
  access: { values: ["read", "call", "admin"] },
  deprecated: anyOf("since", "use"),
  http: anyOf("path"),
  placement: "any",
  renamedFrom: { each: anyOf("since", "tool") },
  renamedTo: "any",
  paginated: { values: [true] },
  upload: anyOf("maxBytes", "types"),
  download: anyOf("types"),
  tool: "any",
  hints: anyOf("destructive", "openWorld"),
  policy: policyShape,
  run: runShape,
  questions: { each: { fields: { kind: { values: ["form", "confirm"] }, when: "any", answer: "any" } } },
};

/** What authors of a procedure do not write themselves. */
const made: ReadonlySet<string> = new Set(["renamedTo", "paginated", "upload", "download"]);

const authored = Object.fromEntries(Object.entries(procedureFields).filter(([name]) => !made.has(name)));

/** A procedure; of a kind that has one retry safety alone, with that. */
export const procedureShape = (kind?: "query" | "mutation" | "subscription"): DefinitionShape => ({
  fields:
    kind === undefined
      ? procedureFields
      : {
          ...authored,
          kind: { values: [kind] },
          retry: { values: kind === "mutation" ? ["idempotent", "keyed", "unsafe"] : ["safe"] },
        },
});

const authoredWithout = (...names: readonly string[]): Readonly<Record<string, DefinitionShape>> =>
  Object.fromEntries(Object.entries(authored).filter(([name]) => !names.includes(name)));

/** What `upload` takes: the file is read once, so that nothing of it could be run again or compared. */
export const uploadShape: DefinitionShape = {
  fields: {
    ...authoredWithout("kind", "run", "questions", "placement"),
    retry: { values: ["idempotent", "unsafe"] },
    policy: { fields: unrepeatedPolicy },
    file: anyOf("maxBytes", "types"),
  },
};

/** What `download` takes: a query's fields, but for its output. */
export const downloadShape: DefinitionShape = {
  fields: { ...authoredWithout("kind", "retry", "output", "run", "questions", "placement"), types: "any" },
};

/** What `paginated` takes: a query's fields, but for its output. */
export const paginatedShape: DefinitionShape = {
  fields: {
    ...authoredWithout("kind", "retry", "output"),
    item: "any",
    pageSize: anyOf("default", "most"),
  },
};

const promptShape: DefinitionShape = {
  fields: { title: "any", summary: "any", text: "any", arguments: { each: anyOf("about", "default", "choices") } },
};

const resourceShape: DefinitionShape = {
  fields: {
    ...{
      title: "any",
      summary: "any",
      path: "any",
      read: "any",
      input: "any",
      text: "any",
      type: "any",
      changes: "any",
    },
    fields: { each: anyOf("about", "choices") },
  },
};

export const contractShape: DefinitionShape = {
  fields: {
    id: "any",
    version: "any",
    summary: "any",
    description: "any",
    procedures: { each: procedureShape() },
    verbs: "any",
    prompts: { each: promptShape },
    resources: { each: resourceShape },
  },
};

/** A definition that says what nothing has. */
export class DefinitionError extends TypeError {
  override readonly name = "DefinitionError";
  /** As it was written, for `gen` to find the lines. */
  readonly definition: unknown;

  constructor(message: string, definition: unknown) {
    super(message);
    this.definition = definition;
  }
}

/** Throws a `DefinitionError` that names each part which is not in the shape, with the one that was meant. Gives the definition back. */
export const checkDefinition = <T>(what: string, definition: T, shape: DefinitionShape): T => {
  const found = problemsIn(definition, shape, "");
  if (found.length > 0) throw new DefinitionError(`${what}: ${found.join("; ")}`, definition);
  return definition;
};

const problemsIn = (value: unknown, shape: DefinitionShape, path: string): readonly string[] => {
  if (shape === "any" || value === undefined) return [];
  if ("values" in shape) return shape.values.includes(value) ? [] : [wrongValue(value, shape.values, path)];
  if (typeof value !== "object" || value === null) return [`${path === "" ? "it" : `\`${path}\``} is not an object`];
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  return Object.entries(value).flatMap(([key, inner]) => {
    if ("each" in shape) return problemsIn(inner, shape.each, at(key));
    const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    return field === undefined ? [unknownKey(key, Object.keys(shape.fields), at)] : problemsIn(inner, field, at(key));
  });
};

const unknownKey = (key: string, known: readonly string[], at: (key: string) => string): string => {
  const meant = didYouMean(key, known);
  const rest = meant === undefined ? `known are ${known.join(", ")}` : `did you mean \`${at(meant)}\`?`;
  return `\`${at(key)}\` is not a field of it, ${rest}`;
};

const wrongValue = (value: unknown, allowed: readonly unknown[], path: string): string => {
  const sent = typeof value === "string" ? JSON.stringify(value) : `a value of type ${typeof value}`;
  const texts = allowed.map((each) => JSON.stringify(each)).join(", ");
  if (allowed.length === 1) return `\`${path}\` cannot be ${sent}, it is always ${texts}`;
  const meant = typeof value === "string" ? didYouMean(value, allowed.map(String)) : undefined;
  const rest = meant === undefined ? "it" : `did you mean ${JSON.stringify(meant)}? It`;
  return `\`${path}\` cannot be ${sent}, ${rest} is one of ${texts}`;
};

interface PlacedDefinition {
  readonly input?: Schema;
  readonly placement?: ProcedurePlacement;
}

/** Throws a `DefinitionError` for a placement that is none, and for a key that the input cannot always give. */
export const checkPlacement = <T>(what: string, definition: T & PlacedDefinition): T => {
  const problem = placementProblem(definition);
  if (problem !== undefined) throw new DefinitionError(`${what}: ${problem}`, definition);
  return definition;
};

const placementProblem = ({ placement, input }: PlacedDefinition): string | undefined => {
  if (placement === undefined || placement === "stateless" || placement === "here") return undefined;
  const field: unknown = placement?.keyedBy;
  if (typeof placement !== "object" || typeof field !== "string" || Object.keys(placement).length !== 1)
    return '`placement` is one of "stateless", "here" and { keyedBy: "<field of the input>" }';
  const { kind, names } = keyField(input, field);
  switch (kind) {
    case "key":
      return undefined;
    case "missing":
      return `\`placement.keyedBy\` names \`${field}\`, which is not a field of the input; it has ${names.join(", ") || "none"}`;
    case "optional":
      return `\`placement.keyedBy\` names \`${field}\`, which a caller may leave out: a key is required`;
    case "other":
      return `\`placement.keyedBy\` names \`${field}\`, which is neither a string nor a number`;
  }
};

interface KeyField {
  readonly kind: "key" | "missing" | "optional" | "other";
  /** The input's fields. */
  readonly names: readonly string[];
}

const keyField = (input: Schema | undefined, name: string): KeyField => {
  const def = input === undefined ? undefined : schemaDef(asZod4(input));
  const shape = def?.type === "object" ? def.shape : {};
  const names = Object.keys(shape);
  const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
  return { kind: field === undefined ? "missing" : keyKind(field), names };
};

/** What a codec or a transform gives is not what its caller sent: such a field is not a key. */
const keyKind = (field: Schema): KeyField["kind"] => {
  const def = schemaDef(asZod4(field));
  switch (def.type) {
    case "string":
    case "number":
    case "template_literal":
      return "key";
    case "enum":
      return Object.values(def.entries).every(isKey) ? "key" : "other";
    case "literal":
      return def.values.every(isKey) ? "key" : "other";
    case "readonly":
      return keyKind(def.innerType);
    case "optional":
    case "default":
    case "prefault":
    case "catch":
      return "optional";
    default:
      return "other";
  }
};

const isKey = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number";
