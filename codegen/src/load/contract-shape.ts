/**
 * The shape of a contract object, as a schema: what the types of `@fairlead/contracts` say, for authors whose editor does not check them.
 *
 * Not here: rules between fields and across contracts (`check`).
 */
import * as z from "zod";
import { findBrokenPart } from "../schema/zod-parts.ts";
import { verbShape } from "./verb-shape.ts";

/** ArkType's are functions. */
const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

/** What a schema of another library says of itself, by the Standard Schema specification. */
const readStandard = (value: unknown): { readonly vendor: unknown; readonly jsonSchema?: unknown } | undefined => {
  if (!isObject(value) || !("~standard" in value)) return undefined;
  const standard = value["~standard"];
  return isObject(standard) && "vendor" in standard ? standard : undefined;
};

const isAnySchema = (value: unknown): boolean =>
  isObject(value) && ("_zod" in value || "_def" in value || isObject(readStandard(value)?.jsonSchema));

const expectedSchema = (value: unknown): string => {
  const vendor = readStandard(value)?.vendor;
  return typeof vendor === "string"
    ? `a schema that gives its JSON Schema, which this one of ${vendor} does not: Zod, ArkType, or Valibot by toStandardJsonSchema`
    : "a Zod schema";
};

const schema = z
  .custom(isAnySchema, { error: ({ input }) => expectedSchema(input), abort: true })
  .superRefine((value, { addIssue }) => {
    const broken = findBrokenPart(value);
    if (broken !== undefined) addIssue({ code: "custom", path: [...broken.path], message: broken.expected });
  });
const text = z.string();
const whole = z.number();

const policy = z.strictObject({
  deadlineMs: whole.optional(),
  concurrency: whole.optional(),
  queue: whole.optional(),
  streams: whole.optional(),
  limits: z.record(z.enum(["bytes", "depth", "keys", "items", "string"]), whole.optional()).optional(),
  outputLimits: z.record(z.enum(["bytes", "depth"]), whole.optional()).optional(),
  breaker: z.strictObject({ failures: whole, openMs: whole }).optional(),
  retry: z.strictObject({ attempts: whole, baseMs: whole.optional(), capMs: whole.optional() }).optional(),
});

const run = z.strictObject({
  onRestart: z.enum(["fail", "resume"]).optional(),
  attempts: whole.optional(),
  baseMs: whole.optional(),
  capMs: whole.optional(),
  deadlineMs: whole.optional(),
  concurrency: whole.optional(),
});

const question = z.strictObject({ kind: z.enum(["form", "confirm"]), when: text, answer: schema.optional() });

/** Like `image/png` or `image/*`. */
const mediaTypes = z.array(z.string().regex(/^[a-z0-9!#$&^_.+-]+\/(?:\*|[a-z0-9!#$&^_.+-]+)$/i)).min(1);

const toolView = z.strictObject({
  name: text.optional(),
  title: text.optional(),
  description: text.optional(),
  fields: z.record(text, z.union([z.string(), z.literal(true)])).optional(),
  listed: z.enum(["core", "full"]).optional(),
  long: z.literal(true).optional(),
});

const procedure = z.strictObject({
  kind: z.enum(["query", "mutation", "subscription"]),
  retry: z.enum(["safe", "idempotent", "keyed", "unsafe"]),
  summary: text,
  description: text.optional(),
  input: schema,
  output: schema,
  errors: z
    .record(text, z.strictObject({ code: text, when: text, hint: text.optional(), data: schema.optional() }))
    .optional(),
  examples: z.array(z.strictObject({ summary: text, input: z.unknown() })).optional(),
  access: z.enum(["read", "call", "admin"]).optional(),
  deprecated: z.strictObject({ since: text, use: text.optional() }).optional(),
  http: z.strictObject({ path: text }).optional(),
  placement: z.union([z.enum(["stateless", "here"]), z.strictObject({ keyedBy: text })]).optional(),
  renamedFrom: z.record(text, z.strictObject({ since: text, tool: text.optional() })).optional(),
  renamedTo: text.optional(),
  paginated: z.literal(true).optional(),
  upload: z.strictObject({ maxBytes: z.int().min(1), types: mediaTypes.optional() }).optional(),
  download: z.strictObject({ types: mediaTypes.optional() }).optional(),
  tool: z.union([text, z.literal(false), toolView]).optional(),
  hints: z.strictObject({ destructive: z.boolean().optional(), openWorld: z.boolean().optional() }).optional(),
  policy: policy.optional(),
  run: run.optional(),
  questions: z.record(text, question).optional(),
});

const filled = z.record(text, z.unknown());
const choices = z.union([z.array(text), z.strictObject({ call: text, path: text, input: filled.optional() })]);

const resource = z.strictObject({
  title: text,
  summary: text,
  path: text,
  read: text,
  input: filled.optional(),
  text: text.optional(),
  type: text.optional(),
  fields: z.record(text, z.strictObject({ about: text, choices: choices.optional() })).optional(),
  changes: z
    .union([z.strictObject({ subscription: text, input: filled.optional() }), z.strictObject({ everyMs: whole })])
    .optional(),
});

const prompt = z.strictObject({
  title: text,
  summary: text,
  text,
  arguments: z
    .record(
      text,
      z.strictObject({
        about: text,
        default: text.optional(),
        choices: choices.optional(),
      }),
    )
    .optional(),
});

export const contractShape = z.strictObject({
  id: text,
  version: text,
  summary: text,
  description: text.optional(),
  procedures: z.record(text, procedure),
  verbs: z.record(text, verbShape).optional(),
  prompts: z.record(text, prompt).optional(),
  resources: z.record(text, resource).optional(),
});
