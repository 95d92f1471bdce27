/**
 * A call from node to node, and its replies: JSON over HTTP/1.1, signed with the secret of the cluster. The head of a call signs the length and the digest of its
 * body, so a stranger's body is not read. Each line of the reply is signed with its number, so none can be left out or come twice.
 *
 * Not here: sockets (`peer-client.ts`, `peer-server.ts`).
 */
import { hash } from "node:crypto";
import * as z from "zod";
import { principalSchema, runSchema } from "../wire/caller.ts";
import type { Signer } from "../wire/signature.ts";

/** Bytes of a call at most; what a procedure takes is dispatch's to say. */
export const mostCallBytes = 64 * 1024 * 1024;
/** Milliseconds that clocks of two nodes may differ, and that a call may be under way. */
export const freshMs = 30_000;

const callSchema = z.object({
  /** Full name. */
  procedure: z.string(),
  /** Of its shape; see `wire/digest.ts`. */
  digest: z.string(),
  shard: z.int().min(0),
  principal: principalSchema,
  /** Milliseconds that are left to it; none for subscriptions. */
  timeoutMs: z.number().positive().optional(),
  traceparent: z
    .string()
    .regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional(),
  idempotencyKey: z.string().optional(),
  attempts: z.int().min(1).optional(),
  run: runSchema.optional(),
  lastEventId: z.string().optional(),
  /** What its caller wants to hear meanwhile. */
  notes: z.array(z.enum(["progress", "line"])),
  isStream: z.boolean(),
  input: z.unknown().optional(),
});

export type NodeCall = z.output<typeof callSchema>;

/** `undefined` for what is none. */
export const readNodeCall = (body: string): NodeCall | undefined => {
  const parsed = callSchema.safeParse(parseText(body));
  return parsed.success ? parsed.data : undefined;
};

const names = {
  time: "fairlead-time",
  call: "fairlead-call",
  digest: "fairlead-digest",
  signature: "fairlead-signature",
};

/** What is said of a call before its body. */
interface CallHead {
  /** Id of the node that it is for. */
  readonly node: string;
  /** Another for each call. */
  readonly call: string;
  /** Milliseconds since 1970. */
  readonly time: string;
  readonly length: string;
  readonly digest: string;
}

const nothing = new Uint8Array();

const headText = ({ node, call, time, length, digest }: CallHead): string =>
  ["fairlead-cluster-call-1", time, node, call, length, digest].join("\n");

export const digestBody = (body: Uint8Array): string => hash("sha256", body, "base64url");

export const writeHead = (
  { node, call, body }: { readonly node: string; readonly call: string; readonly body: Uint8Array },
  signer: Signer,
): Readonly<Record<string, string>> => {
  const head = { node, call, time: String(Date.now()), length: String(body.length), digest: digestBody(body) };
  return {
    "content-type": "application/json",
    "content-length": head.length,
    [names.time]: head.time,
    [names.call]: call,
    [names.digest]: head.digest,
    [names.signature]: signer.sign(headText(head), nothing),
  };
};

/** The head of a call to `node`; `undefined` for one that no node of the cluster has signed within the last half minute. */
export const readHead = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  node: string,
  signer: Signer,
): CallHead | undefined => {
  const read = (name: string): string => String(headers[name] ?? "");
  const head = {
    node,
    call: read(names.call),
    time: read(names.time),
    length: read("content-length"),
    digest: read(names.digest),
  };
  const isFresh = Math.abs(Date.now() - Number(head.time)) <= freshMs;
  return isFresh && signer.isGenuine(read(names.signature), headText(head), nothing) ? head : undefined;
};

const replySchema = z.object({
  /**
   * `moved`: that node does not own it, and nothing has begun. `taken`: it owns it, by the epoch in `value`. Then notes and events, and `value`, `error` or
   * `end` as the last.
   */
  kind: z.enum(["moved", "taken", "progress", "line", "item", "value", "error", "end"]),
  /** Of an event. */
  id: z.string().optional(),
  value: z.unknown().optional(),
});

export type NodeReply = z.output<typeof replySchema>;

const lineText = (call: string, at: number): string => ["fairlead-cluster-reply-1", call, String(at)].join("\n");

/** A line, with its end. */
export const writeLine = (
  reply: NodeReply,
  { call, at }: { readonly call: string; readonly at: number },
  signer: Signer,
): string => {
  const body = JSON.stringify(reply);
  return `${signer.sign(lineText(call, at), Buffer.from(body))} ${body}\n`;
};

/** `undefined` for a line that is none of that call's. */
export const readLine = (
  line: string,
  { call, at }: { readonly call: string; readonly at: number },
  signer: Signer,
): NodeReply | undefined => {
  const split = line.indexOf(" ");
  const body = line.slice(split + 1);
  if (split < 0 || !signer.isGenuine(line.slice(0, split), lineText(call, at), Buffer.from(body))) return undefined;
  const parsed = replySchema.safeParse(parseText(body));
  return parsed.success ? parsed.data : undefined;
};

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
