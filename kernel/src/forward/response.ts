/** From an answer of the API to an output or a declared error. Not here: the request (`request`). */
import { cleanText, type Decoder, type FairleadError } from "@fairlead/contracts";
import type { ForwardedOperation } from "./operation.ts";

/** What an import declares for each of its procedures, by `call.fail`. */
export interface ForwardedCall {
  readonly signal: AbortSignal;
  readonly traceparent: string;
  fail(reason: string, text: FailureWords, data?: unknown): FairleadError;
}

interface FailureWords {
  readonly message: string;
  readonly hint?: string;
  readonly retryable?: boolean;
}

/** An answer that was read to its end. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The decoders of a procedure: of its output, and of the data of its errors by reason. */
export interface AnswerDecoders {
  readonly output: Decoder<unknown>;
  readonly errors: ReadonlyMap<string, Decoder<unknown>>;
}

/** Characters of the API's own words in an error. */
const longestMessage = 1_000;

/** The output. Throws what the contract declares: the API's error of that status, `upstream_failed` for any other, `upstream_changed`. */
export const readAnswer = (
  name: string,
  {
    operation,
    answer,
    decoders,
    call,
  }: {
    readonly operation: ForwardedOperation;
    readonly answer: ForwardedAnswer;
    readonly decoders: AnswerDecoders;
    readonly call: ForwardedCall;
  },
): unknown => {
  const { status, text } = answer;
  if (status < 200 || status > 299) throw failure(name, { operation, answer, decoders, call });
  const value = operation.answer === "nothing" ? null : operation.answer === "text" ? text : parse(text);
  const decoded = decoders.output(value);
  if (decoded.ok) return decoded.value;
  const [first] = decoded.issues;
  const where = first === undefined ? "" : `: ${first.path || "its answer"} is not ${first.expected}`;
  throw call.fail("upstream_changed", {
    message: `the API answered ${name} with something else than its document says${where}`,
  });
};

const failure = (
  name: string,
  { operation, answer, decoders, call }: Parameters<typeof readAnswer>[1],
): FairleadError => {
  const { status, headers, text } = answer;
  const body = parse(text);
  const said = words(body) ?? `${name} was answered with status ${status}`;
  const message = cleanText(said, longestMessage);
  const { errors } = operation;
  const reason =
    status < 400 ? undefined : (errors[status] ?? errors[`${Math.trunc(status / 100)}XX`] ?? errors.default);
  const data = reason === undefined ? undefined : decoders.errors.get(reason)?.({ status, body: body ?? null });
  const retryAfterMs = status === 429 || status === 503 ? retryAfter(headers.get("retry-after")) : undefined;
  const retryable = status === 429 || status === 503;
  const made =
    reason !== undefined && data?.ok === true
      ? call.fail(reason, { message, retryable }, data.value)
      : call.fail("upstream_failed", { message, retryable }, { status, body: body ?? null });
  if (retryAfterMs === undefined) return made;
  return Object.assign(made, { retryAfterMs });
};

/** What the usual members of an error's body say. */
const words = (body: unknown): string | undefined => {
  if (typeof body === "string" && body !== "") return body;
  if (typeof body !== "object" || body === null) return undefined;
  const {
    message,
    detail,
    title,
    error,
    error_description: description,
  }: Readonly<Record<string, unknown>> = { ...body };
  for (const said of [message, detail, description, title]) if (typeof said === "string" && said !== "") return said;
  return words(error);
};

/** JSON where it is, else the text; nothing for none. */
const parse = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const retryAfter = (given: string | null): number | undefined =>
  given !== null && /^\d{1,6}$/.test(given) ? Number(given) * 1_000 : undefined;
