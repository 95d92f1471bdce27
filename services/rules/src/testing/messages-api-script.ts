/**
 * For tests only: the replies that the stand-in for the Messages API can be scripted with, faults included, and their bodies.
 * Pure; `messages-api.ts` serves it.
 */

interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** One answer of the script. */
export type ScriptedReply =
  | { readonly kind: "calls"; readonly calls: readonly ToolCall[]; readonly text?: string; readonly usage?: Usage }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refusal" }
  /** The output limit cut the call inside its JSON. */
  | { readonly kind: "cut"; readonly name: string; readonly input: unknown }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly type: string;
      readonly headers?: Headers;
      /** What its body says. */
      readonly message?: string;
    }
  /** The connection ends before a byte was sent. */
  | { readonly kind: "close" }
  /** The connection ends inside the body. */
  | { readonly kind: "torn" }
  /** Half of the body is sent, and then nothing until the client gives up. */
  | { readonly kind: "slow" }
  /** Nothing is sent until the client gives up. */
  | { readonly kind: "silent" }
  /** A success whose body is none of the API's. */
  | { readonly kind: "body"; readonly body: string };

type Headers = Readonly<Record<string, string>>;

/** The API's four counters; what is left out is 0. */
interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_read_input_tokens?: number;
}

export const call = (name: string, input: unknown): ScriptedReply => ({ kind: "calls", calls: [{ name, input }] });

export const overloaded = (headers: Headers): ScriptedReply => ({
  kind: "status",
  status: 529,
  type: "overloaded_error",
  headers,
});

export const limited = (headers: Headers): ScriptedReply => ({
  kind: "status",
  status: 429,
  type: "rate_limit_error",
  headers,
});

/** Numbers what the server makes, so that a run is the same every time. */
export interface Ids {
  next(prefix: "msg" | "toolu" | "req"): string;
}

export const countedIds = (): Ids => {
  const counts = { msg: 0, toolu: 0, req: 0 };
  return {
    next: (prefix) => {
      counts[prefix] += 1;
      return `${prefix}_${String(counts[prefix]).padStart(6, "0")}`;
    },
  };
};

export const errorBody = (type: string, message: string, requestId: string) => ({
  type: "error",
  error: { type, message },
  request_id: requestId,
});

type MessageScript = Extract<ScriptedReply, { readonly kind: "calls" | "text" | "refusal" | "cut" | "slow" | "torn" }>;

/** The API's message for a scripted answer. */
export const buildMessage = (said: MessageScript, model: string, ids: Ids) => ({
  id: ids.next("msg"),
  type: "message",
  role: "assistant",
  model,
  content: buildContent(said, ids),
  stop_reason: stopReason(said),
  stop_sequence: null,
  usage: {
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: null,
    service_tier: "standard",
    ...((said.kind === "calls" ? said.usage : undefined) ?? { input_tokens: 700, output_tokens: 40 }),
  },
});

const buildContent = (said: MessageScript, ids: Ids): readonly object[] => {
  const use = ({ name, input }: ToolCall) => ({
    type: "tool_use",
    id: ids.next("toolu"),
    name,
    input,
    caller: { type: "direct" },
  });
  switch (said.kind) {
    case "calls":
      return [...(said.text === undefined ? [] : [{ type: "text", text: said.text }]), ...said.calls.map(use)];
    case "text":
      return [{ type: "text", text: said.text }];
    case "cut":
      return [use(said)];
    case "refusal":
    case "slow":
    case "torn":
      return [];
  }
};

const stopReason = ({ kind }: MessageScript): string => {
  switch (kind) {
    case "calls":
      return "tool_use";
    case "refusal":
      return "refusal";
    case "cut":
      return "max_tokens";
    case "text":
    case "slow":
    case "torn":
      return "end_turn";
  }
};
