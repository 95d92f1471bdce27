/**
 * A service whose procedures are operations of an HTTP API, as `fairlead import openapi` writes it. The API's address and its credentials come from
 * the configuration, so callers name neither; a redirect is followed on that address alone, and only by what reads.
 *
 * Not here: the contract and the operations (an import's files).
 */
import { type Contract, decoder, FairleadError, type Procedure, type ProcedureName, secret } from "@fairlead/contracts";
import * as z from "zod";
import type { Handlers } from "../service/handler.ts";
import type { Service } from "../service/service.ts";
import type { ForwardedOperation } from "./operation.ts";
import { type ForwardedRequest, forwardedRequest } from "./request.ts";
import { type AnswerDecoders, type ForwardedAnswer, type ForwardedCall, readAnswer } from "./response.ts";

/** What an imported service forwards. */
export interface ForwardedParts<C extends Contract> {
  /** The API's address in its document; nothing where that names none. */
  readonly url?: string;
  readonly operations: { readonly [N in ProcedureName<C>]: ForwardedOperation };
}

/** A service's section of the configuration. */
export const forwardConfig = z.object({
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Where the API is; by default the address in its document"),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .meta(secret)
    .describe("Headers of every request, like `authorization`"),
});

type ForwardSettings = z.output<typeof forwardConfig>;

/** Bytes of an answer that are read. */
const mostBytes = 32 * 1_048_576;
const mostRedirects = 5;

/** A service that asks an HTTP API. */
export const forwardedService = <C extends Contract>(
  contract: C,
  { url, operations }: ForwardedParts<C>,
): Service<C> => ({
  contract,
  config: forwardConfig,
  start: (host) => {
    // The kernel gives what `config` decoded.
    const settings = (host.config ?? { headers: {} }) as ForwardSettings;
    const base = settings.url ?? url;
    const handlers = Object.entries<ForwardedOperation>(operations).map(([name, operation]) => {
      const procedure: Procedure | undefined = contract.procedures[name];
      const decoders = procedure === undefined ? undefined : answerDecoders(procedure);
      const handler = async (input: unknown, call: ForwardedCall): Promise<unknown> => {
        if (base === undefined || decoders === undefined) throw noAddress(contract.id);
        const request = forwardedRequest(operation, base, input);
        for (const [header, value] of Object.entries(settings.headers)) request.headers.set(header, value);
        request.headers.set("traceparent", call.traceparent);
        const answer = await send(request, call);
        return readAnswer(`${contract.id}.${name}`, { operation, answer, decoders, call });
      };
      return [name, handler] as const;
    });
    return {
      // What the contract types by name is made here from a list; `fairlead import openapi` has written both.
      handlers: Object.fromEntries(handlers) as unknown as Handlers<C>,
      condition: () =>
        base === undefined
          ? {
              state: "degraded",
              why: "the API has no address",
              fix: `set services.${contract.id}.url in the configuration`,
            }
          : { state: "ready" },
    };
  },
});

const answerDecoders = ({ output, errors = {} }: Procedure): AnswerDecoders => ({
  output: decoder(output),
  errors: new Map(
    Object.entries(errors).flatMap(([reason, { data }]) =>
      data === undefined ? [] : [[reason, decoder(data)] as const],
    ),
  ),
});

const noAddress = (id: string): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    message: `the API of ${id} has no address`,
    hint: `set services.${id}.url in the configuration`,
  });

/** Throws `upstream_unavailable` where there is no answer. */
const send = async (request: ForwardedRequest, call: ForwardedCall): Promise<ForwardedAnswer> => {
  let { url } = request;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await fetchOnce({ ...request, url }, call);
    const location = answer.headers.get("location");
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (answer.status < 300 || answer.status > 399 || location === null || !isRead) return answer;
    const next = URL.parse(location, url.href);
    // Credentials are for this address alone.
    if (next === null || next.origin !== url.origin || redirects === mostRedirects) return answer;
    url = next;
  }
};

const fetchOnce = async (
  { url, method, headers, body }: ForwardedRequest,
  call: ForwardedCall,
): Promise<ForwardedAnswer> => {
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal: call.signal,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, headers: response.headers, text: await readText(response) };
  } catch (cause) {
    if (call.signal.aborted || cause instanceof FairleadError) throw cause;
    const why = cause instanceof Error && cause.cause instanceof Error ? `: ${cause.cause.message}` : "";
    // What only reads did no harm, however far it came.
    const retryable = method === "GET" || method === "HEAD";
    throw call.fail("upstream_unavailable", { message: `${url.host} gave no answer${why}`, retryable });
  }
};

const readText = async (response: Response): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > mostBytes)
      throw new FairleadError({
        code: "resource_exhausted",
        message: `the API's answer is over ${mostBytes / 1_048_576} MB`,
        hint: "ask for less",
      });
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
};
