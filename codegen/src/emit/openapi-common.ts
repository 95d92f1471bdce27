/** What all operations of the OpenAPI document share: the problem document, statuses, headers and the rule of encoding. Data only. */
import { codeNames, codes } from "@fairlead/contracts";
import type { JsonSchema } from "../schema/json-schema.ts";

export const description = [
  "Procedures of Fairlead services over plain HTTP.",
  "Methods: every procedure is a POST of application/json, whatever its input is. A query or subscription is a GET at the same path as well (the " +
    "operation with `_get` at the end of its id) where a query string can have all that its input needs, and QUERY (RFC 10008), which takes the " +
    "body of the POST. A GET takes the scalars of the input and lists of them, by name: strings as they are, numbers and booleans as JSON literals, " +
    "a list as the same parameter several times, absent fields left out. Other optional fields can be sent by POST and QUERY only.",
  "Events: a subscription answers with server-sent events. Each `message` is an event of the service, `error` holds a problem's members " +
    "from `code` on and ends the stream, `end` says that there is no more; a stream that ends without either is to be resumed after the " +
    "last id, by the header `last-event-id` or the query parameter `lastEventId`. A query or mutation whose `accept` is " +
    "`text/event-stream` alone answers the same way, if it has progress to report: `progress` events, then one `result` or `error`.",
  "Headers: `traceparent` and `tracestate` are continued and passed on. With a configured token, every path needs " +
    "`authorization: Bearer`. Refusals that are no business of an operation (403 for a foreign Host or page, 405, 408, 413, 414, 415, 417, 431) " +
    "are problem details, too.",
  "Errors are problem details (RFC 9457) with stable codes. Programs read `code`, `reason` and `data`; people read `detail` " +
    "and `hint`.",
].join("\n\n");

const text = (words: string): JsonSchema => ({ type: "string", description: words });

/** The problem document: the wire error as extension members of RFC 9457. */
export const problem: JsonSchema = {
  type: "object",
  description: "A failed call: problem details (RFC 9457) with the error envelope of Fairlead as extension members.",
  properties: {
    type: text("`urn:fairlead:error:` and the reason, or the code where there is none."),
    title: text("The code in words."),
    status: { type: "integer", description: "The HTTP status." },
    detail: text("What failed and where, for people."),
    code: { type: "string", enum: [...codeNames], description: "One of the sixteen infrastructure codes." },
    reason: text("Name of the declared error; absent for infrastructure errors."),
    message: text("The same as `detail`."),
    hint: text("The next thing to try, for people."),
    data: { description: "Data of a declared error, as the operation says." },
    issues: {
      type: "array",
      maxItems: 20,
      description: "What is wrong with the input.",
      items: {
        type: "object",
        properties: {
          path: text("Path of the field, like `game.npcs[0].ac`; empty for the input itself."),
          expected: text("What the contract expects there."),
          fix: text("How to fix it."),
        },
        required: ["path", "expected", "fix"],
      },
    },
    id: text("Finds the line in the kernel's log; for `internal`."),
    retryable: { type: "boolean", description: "True when the same request may succeed later." },
    retryAfterMs: { type: "number", description: "Milliseconds to wait before trying again, when known." },
  },
  required: ["type", "title", "status", "detail", "code", "message", "retryable"],
};

const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };

const statuses = [...new Set(codeNames.map((code) => codes[code].http))].toSorted((a, b) => a - b);

/** One response a status, in the words of the code table. */
export const sharedResponses: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    statuses.map((status) => [
      `Problem${status}`,
      {
        description: codeNames
          .filter((code) => codes[code].http === status)
          .map((code) => `\`${code}\`: ${codes[code].when}.`)
          .join(" "),
        content,
      },
    ]),
  ),
  Problem: { description: "The request was refused before it reached the procedure.", content },
};

export const sharedResponse = (status: number): { readonly $ref: string } => ({
  $ref: `#/components/responses/Problem${status}`,
});

export const parameters = {
  timeout: {
    name: "fairlead-timeout-ms",
    in: "header",
    required: false,
    description: "Milliseconds the caller is willing to wait; the procedure's own deadline stays the upper bound.",
    schema: { type: "integer", minimum: 1, maximum: 2_147_483_647 },
  },
  attempts: {
    name: "fairlead-attempts",
    in: "header",
    required: false,
    description:
      "How often the kernel may try the call in all; 1 where the caller repeats it itself. The procedure's own retries stay the upper bound.",
    schema: { type: "integer", minimum: 1, maximum: 2_147_483_647 },
  },
  idempotencyKey: {
    name: "idempotency-key",
    in: "header",
    required: false,
    description: "A key of the caller's choice. A repeat of the call with the same key gets the stored answer.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  },
  lastEventId: {
    name: "last-event-id",
    in: "header",
    required: false,
    description: "Id of the last event that was received; the stream resumes after it.",
    schema: { type: "string" },
  },
};

export const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "Needed when the kernel is configured with tokens; on loopback it may run without.",
  },
};
