/**
 * The first line of a stdio server that attaches to an owner, and the owner's answer. What follows are MCP's own messages, a line each. Pure.
 */
import type { WireError } from "@fairlead/contracts";
import { readMember } from "../call/record.ts";

interface AttachHello {
  readonly key: string;
  /** The only services whose tools are offered; none for all. */
  readonly services: readonly string[];
  /** A choice among their tools, like `profile=full&read-only=1`; empty for none. */
  readonly choice: string;
}

/** Tools whose calls do no harm when they are sent again: always, or where the call has an idempotency key. */
export interface RepeatableTools {
  readonly always: readonly string[];
  readonly keyed: readonly string[];
}

export type AttachReply =
  | { readonly ok: true; readonly repeatable: RepeatableTools }
  | { readonly ok: false; readonly error: WireError };

/** Bytes of the first line. */
export const longestHello = 4_096;

/** The order of the members is the line's: it begins with a brace, which no HTTP request does. */
export const formatHello = ({ key, services, choice }: AttachHello): string =>
  `${JSON.stringify({ key, services, choice })}\n`;

export const parseHello = (line: string): AttachHello | undefined => {
  const value = parse(line);
  const key = readMember(value, "key");
  const choice = readMember(value, "choice");
  return typeof key === "string"
    ? { key, services: texts(readMember(value, "services")), choice: typeof choice === "string" ? choice : "" }
    : undefined;
};

/** The answer to a line that is none of these, or has the wrong key. */
export const helloProblem: WireError = {
  code: "unauthenticated",
  message: "the private socket of this kernel takes processes of its own user only",
  hint: "use its HTTP address with a token",
  retryable: false,
};

/** `undefined` for what no owner writes. */
export const parseAttachReply = (line: string): AttachReply | undefined => {
  const value = parse(line);
  if (readMember(value, "ok") === true) {
    const repeatable = readMember(value, "repeatable");
    const [always, keyed] = [texts(readMember(repeatable, "always")), texts(readMember(repeatable, "keyed"))];
    return { ok: true, repeatable: { always, keyed } };
  }
  const error = readMember(value, "error");
  return isWireError(error) ? { ok: false, error } : undefined;
};

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

/** The owner is a Fairlead of the same version: what has a code and a message is an error. */
const isWireError = (value: unknown): value is WireError =>
  typeof readMember(value, "code") === "string" && typeof readMember(value, "message") === "string";
