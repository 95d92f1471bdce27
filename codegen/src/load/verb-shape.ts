/**
 * The shape of a contract's verbs, as a schema: what `contracts/src/core/verb.ts` says in types.
 *
 * Not here: whether a verb fits its contract (`check/verb`).
 */
import * as z from "zod";

const text = z.string();
const texts = z.array(text);
const scalar = z.union([text, z.number(), z.boolean(), z.null()]);

const verbText = z.union([text, z.strictObject({ parts: texts, between: text })], {
  error: "a text, or { parts, between }",
});

const condition = z.union(
  [
    z.strictObject({ present: text }),
    z.strictObject({ missing: text }),
    z.strictObject({ value: text, is: scalar }),
    z.strictObject({ value: text, not: scalar }),
    z.strictObject({ value: text, same: text }),
    z.strictObject({ some: text, outside: text }),
  ],
  { error: "a condition, like { present: path } or { value: path, is: 1 }" },
);
const conditions = z.array(condition);

const value = {
  field: text.optional(),
  about: text,
  kind: z.enum(["text", "number", "switch", "list", "pairs"]).optional(),
  choices: texts.optional(),
};

const verbInput: z.ZodType = z.lazy(() =>
  z.union([text, z.number(), z.boolean(), z.record(text, verbInput)], {
    error: "a path with $, a plain value, or an object of them",
  }),
);

const view: z.ZodType = z.lazy(() =>
  z.union(
    [
      verbText,
      z.array(view),
      z.strictObject({
        fields: text,
        only: texts.optional(),
        without: texts.optional(),
        filled: z.boolean().optional(),
        format: z.record(text, verbText).optional(),
      }),
      z.strictObject({ table: text, columns: z.array(z.strictObject({ head: text.optional(), cell: verbText })) }),
      z.strictObject({ each: text, show: view, between: text.optional() }),
      z.strictObject({ first: z.array(z.strictObject({ when: conditions.optional(), show: view })) }),
      z.strictObject({
        shares: z.array(z.strictObject({ name: text, of: text.optional(), less: text.optional() })),
      }),
      z.strictObject({ histogram: text, number: text, share: text }),
    ],
    { error: "a view: text, a list of views, or one of fields, table, each, first, shares and histogram" },
  ),
);

const notFound = z.strictObject({
  noun: text,
  name: text,
  known: z.union([text, z.strictObject({ call: text, each: text })]),
  see: text,
});
const failure = z.strictObject({ code: text, message: verbText.optional(), hint: verbText });

const step = z.strictObject({
  call: text,
  as: text.optional(),
  when: conditions.optional(),
  input: z
    .union([verbInput, z.array(z.strictObject({ when: conditions.optional(), input: verbInput }))], {
      error: "an input, or a list of { when, input }",
    })
    .optional(),
  pages: z.strictObject({ items: text, next: text, after: text, limit: text }).optional(),
  absent: notFound.optional(),
  errors: z
    .record(
      text,
      z.union([notFound, failure], {
        error: "{ noun, name, known, see }, or { code, hint } with or without a message",
      }),
    )
    .optional(),
  refuse: z.array(failure.extend({ when: conditions })).optional(),
  browser: z.strictObject({ redirect: text, open: text }).optional(),
});

const imports = z.strictObject({
  through: z.strictObject({
    service: text,
    package: text,
    runtime: text,
    verbs: z.strictObject({ import: text, status: text }),
  }),
  tools: text,
  connection: text,
  id: text,
  next: z.array(view),
});

export const verbShape = z.strictObject({
  summary: text,
  description: text.optional(),
  examples: texts,
  kernel: z.literal("running").optional(),
  arguments: z
    .array(
      z.strictObject({
        ...value,
        name: text,
        optional: z.boolean().optional(),
        many: z.boolean().optional(),
        file: z.boolean().optional(),
      }),
    )
    .optional(),
  flags: z.array(z.strictObject({ ...value, flags: text })).optional(),
  data: z.strictObject({ field: text.optional(), about: text }).optional(),
  steps: z.array(step).min(1),
  document: z.record(text, text).optional(),
  show: view,
  notes: z.array(view).optional(),
  watch: z
    .strictObject({
      always: z.literal(true).optional(),
      flag: z.literal("follow").optional(),
      call: text,
      input: verbInput.optional(),
      skip: z.number().optional(),
      show: view,
      about: text,
    })
    .optional(),
  imports: imports.optional(),
});
