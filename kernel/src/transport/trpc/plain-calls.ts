/**
 * Queries and mutations whose answer is one JSON document, alone or in a batch: nearly all that clients send. They go to dispatch past
 * tRPC's own protocol code, which costs several times what the rest of a call does. The bytes are the same; `plain-calls.test.ts` compares them.
 *
 * Not here: what is streamed or malformed, and subscriptions, which stay with tRPC's own code (`mount.ts`).
 */
import type { ServerResponse } from "node:http";
import { FairleadError, httpPath, inputToQuery } from "@fairlead/contracts";
import type { Dispatch, Reply } from "../../call/call.ts";
import { isRecord } from "../../call/record.ts";
import type { TrpcContext } from "../../host/manifest.ts";
import type { GuardedRequest } from "../../server/mount.ts";
import type { CatalogEntry } from "../transport.ts";
import { errorShape, inWordsOfTransformers } from "./error.ts";

/** The calls of one request that passed the limits. */
export interface SentCalls {
  /** As they were sent. */
  readonly names: readonly string[];
  /** The procedure of each name; undefined for a name that is none. */
  readonly entries: readonly (CatalogEntry | undefined)[];
  readonly isBatch: boolean;
  /** The raw input, parsed: of the call, or of the calls of a batch by their places. */
  readonly input: unknown;
  readonly context: TrpcContext;
}

/** True where tRPC's own code would run each call as it comes and answer once with the JSON of all. */
export const isPlain = (
  { incoming: { headers }, query }: GuardedRequest,
  { names, entries, isBatch, input }: Omit<SentCalls, "context">,
): boolean => {
  if (headers["trpc-accept"] !== undefined || headers.accept?.includes("jsonl") === true) return false;
  if (query.includes("connectionParams") || (isBatch && input !== undefined && !isRecord(input))) return false;
  const kind = entries[0]?.procedure.kind;
  return (
    kind !== "subscription" && entries.every((entry, at) => isNamed(entry, names[at]) && entry.procedure.kind === kind)
  );
};

/** A procedure by its present name. */
const isNamed = (entry: CatalogEntry | undefined, name: string | undefined): entry is CatalogEntry =>
  entry !== undefined && entry.name === name;

/** Calls them, all at once, and writes the answer. */
export const answerPlainCalls = (
  dispatch: Dispatch,
  { names, entries, isBatch, input, context }: SentCalls,
  { signal }: GuardedRequest,
  response: ServerResponse,
): Promise<void> => {
  const { terms, keys, errorBytes: bytes } = context;
  const run = (procedure: string, at: number): Promise<PlainAnswer> => {
    const own = isBatch ? (input as Inputs | undefined)?.[at] : input;
    const idempotencyKey = keys[at];
    const call = { ...terms, procedure, input: own, signal };
    return dispatch.call(idempotencyKey === undefined ? call : { ...call, idempotencyKey }).then((reply) => {
      if (reply.ok && reply.file !== undefined)
        return withUrl(reply, entries[at], own).then((data) => ({ result: { data } }));
      if (reply.ok) return { result: { data: reply.value } };
      const error = inWordsOfTransformers(new FairleadError(reply.error).toJSON(), own);
      return { error: errorShape(error, { path: procedure, bytes }) };
    });
  };
  const [name = ""] = names;
  if (!isBatch) return run(name, 0).then((answer) => writeAnswers(response, statusFor(answer), answer));
  return Promise.all(names.map(run)).then((answers) => {
    const [status = 200, ...others] = new Set(answers.map(statusFor));
    writeAnswers(response, others.length === 0 ? status : 207, answers);
  });
};

/** A download's description with where its bytes are; where no address may have the input, with how to get them. */
export const withUrl = (
  { value }: Extract<Reply, { readonly ok: true }>,
  entry: CatalogEntry | undefined,
  input: unknown,
): Promise<unknown> =>
  import("../http/files/address.ts").then(({ mayBeInAddress, withoutAddress }) => {
    if (entry === undefined || !isRecord(value)) return value;
    const { name, service, procedure } = entry;
    const query = inputToQuery(procedure, input ?? {});
    if (query === undefined || !mayBeInAddress(procedure, input, query))
      return { ...value, note: withoutAddress(name, procedure) };
    const path = httpPath(service, name.slice(service.length + 1), procedure);
    return { ...value, url: query === "" ? path : `${path}?${query}` };
  });

type Inputs = Readonly<Record<number, unknown>>;

type PlainAnswer = { readonly result: { readonly data: unknown } } | { readonly error: ReturnType<typeof errorShape> };

const statusFor = (answer: PlainAnswer): number => ("error" in answer ? answer.error.data.httpStatus : 200);

export const writeAnswers = (
  response: ServerResponse,
  status: number,
  answer: PlainAnswer | readonly PlainAnswer[],
): void => {
  if (response.destroyed) return;
  const text = JSON.stringify(answer);
  response.appendHeader("vary", "trpc-accept, accept");
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
};
