/**
 * Reads a client's payload: one schema for each event type, tolerant of small mistakes of models, with limits everywhere. A refusal
 * lists issues whose paths start at `payload`.
 */

import { decoder, type Issue } from "@fairlead/contracts";
import * as z from "zod";
import { planSubmission, ticketIdSchema } from "../plan/submission.ts";
import { maxTitle } from "../proposal/review.ts";
import type { ClientEventType, EventPayload } from "../state/event.ts";
import { type SessionUsage, usageReport } from "../state/usage.ts";
import { boolean, clamped, count, requiredText, text, texts, word } from "../value/coercion.ts";
import { limits } from "../value/limits.ts";
import { cutStart } from "../value/text.ts";

const output = z
  .string()
  .transform((value) => cutStart(value, limits.largeText))
  .default("");

const path = z.string().min(1).max(limits.path);

/** A list of paths; a single one is a list of one. Too many are refused: cutting would hide files from the scope check. */
const paths = z.preprocess(
  (value) => (typeof value === "string" ? [value] : (value ?? [])),
  z.array(path).max(limits.strings),
);

const status = word(["done", "failed"], {
  success: "done",
  succeeded: "done",
  completed: "done",
  complete: "done",
  ok: "done",
  failure: "failed",
  fail: "failed",
  error: "failed",
});

const url = z.url({ protocol: /^https?$/ }).max(limits.path);

const schemas = {
  SCOUT_OUTPUT: z.object({
    proposals: z.array(z.unknown()).max(limits.objects),
    explored_dirs: texts(limits.path),
    exploration_summary: text(limits.smallText).default(""),
  }),
  PROPOSALS_REVIEWED: z.preprocess(
    (value) =>
      typeof value === "object" && value !== null && "proposals" in value && !("reviewed_proposals" in value)
        ? { ...value, reviewed_proposals: value.proposals }
        : value,
    z.object({
      reviewed_proposals: z
        .array(
          z.object({
            title: requiredText(maxTitle),
            confidence: clamped(0, 100).optional(),
            impact_score: clamped(1, 10).optional(),
            review_note: text(limits.smallText).optional(),
          }),
        )
        .max(limits.objects),
    }),
  ),
  PROPOSALS_FILTERED: z.record(z.string(), z.unknown()),
  PLAN_SUBMITTED: planSubmission,
  TICKET_RESULT: z.object({
    ticket_id: ticketIdSchema.optional(),
    status,
    changed_files: paths,
    lines_added: count.default(0),
    lines_removed: count.default(0),
    summary: text(limits.mediumText).default(""),
    diff: z.string().max(limits.payload).optional(),
    reason: text(limits.smallText).optional(),
  }),
  QA_COMMAND_RESULT: z.object({
    ticket_id: ticketIdSchema.optional(),
    command: requiredText(limits.command),
    success: boolean,
    output,
  }),
  QA_PASSED: z.object({
    ticket_id: ticketIdSchema.optional(),
    summary: text(limits.mediumText).default(""),
    unmet_criteria: texts(limits.smallText),
  }),
  QA_FAILED: z.object({
    ticket_id: ticketIdSchema.optional(),
    error: z
      .string()
      .min(1)
      .transform((value) => cutStart(value, limits.largeText)),
  }),
  PR_CREATED: z.object({ ticket_id: ticketIdSchema.optional(), url, branch: requiredText(300) }),
  USER_OVERRIDE: z.union([
    z.object({ cancel: z.literal(true) }).transform(() => ({ cancel: true as const })),
    z.object({ hint: requiredText(limits.mediumText) }),
  ]),
} as const satisfies { readonly [T in ClientEventType]: z.ZodType<EventPayload<T>> };

const decoders = Object.fromEntries(
  Object.entries(schemas).map(([type, schema]) => [type, decoder<unknown>(z.object({ payload: schema }))]),
);

/** Usage is read apart from the payload: it is not part of the event. */
const usageDecoder = decoder<{ readonly payload: { readonly usage?: SessionUsage | undefined } }>(
  z.object({ payload: z.object({ usage: usageReport.optional() }) }),
);

type PayloadVerdict<T extends ClientEventType> =
  | { readonly ok: true; readonly payload: EventPayload<T>; readonly usage: SessionUsage | undefined }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Reads the payload of an event type. Sizes are bytes of its JSON. */
export const readPayload = <T extends ClientEventType>(type: T, payload: unknown): PayloadVerdict<T> => {
  const bytes = Buffer.byteLength(JSON.stringify(payload) ?? "");
  if (bytes > limits.payload)
    return refuse(
      "payload",
      `at most ${limits.payload} bytes of JSON`,
      "send less, in several events where that makes sense",
    );
  const decoded = decoders[type]?.({ payload });
  if (decoded === undefined) return refuse("type", "a known event type", "use one of the types in the contract");
  if (!decoded.ok) return decoded;
  const usageResult = usageDecoder({ payload });
  if (!usageResult.ok) return usageResult;
  const { payload: read } = decoded.value as { payload: EventPayload<T> };
  return { ok: true, payload: read, usage: usageResult.value.payload.usage };
};

const refuse = (path: string, expected: string, fix: string) =>
  ({ ok: false, issues: [{ path, expected, fix }] }) as const;
