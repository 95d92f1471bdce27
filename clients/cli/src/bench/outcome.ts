/**
 * What an answer on the wire says of its call: nothing where it went well, else a code of the closed table. An answer that has none of Fairlead's, as of a
 * proxy, gets the one that its status stands for. Pure.
 */
import { codeNames, codes, isCode } from "@fairlead/contracts";
import { isRecord } from "../text/record.ts";
import type { CallFailure } from "./load.ts";

type Outcome = (status: number, text: string) => CallFailure | undefined;

export const outcomes: Readonly<Record<"http" | "trpc" | "mcp", Outcome>> = {
  http: (status, text) => (status < 400 ? undefined : (failureAt(text, []) ?? ofStatus(status))),
  trpc: (status, text) =>
    status < 400 ? undefined : (failureAt(text, ["error", "data", "error"]) ?? ofStatus(status)),
  mcp: (status, text) => {
    if (status === 200 && !text.includes('"isError":true') && !text.includes('"error":{')) return undefined;
    const last = text.startsWith("{") ? text : text.slice(text.lastIndexOf("\ndata: ") + "\ndata: ".length);
    const failure =
      failureAt(last, ["result", "_meta", "fairlead/error"]) ?? failureAt(last, ["error", "data", "fairlead/error"]);
    if (failure !== undefined) return failure;
    if (status !== 200) return ofStatus(status);
    const rpc = valueAt(last, ["error", "code"]);
    if (typeof rpc === "number") return ofRpc(rpc);
    return valueAt(last, ["result", "isError"]) === true ? { code: "unknown" } : undefined;
  },
};

const ofStatus = (status: number): CallFailure => ({
  code: status >= 500 ? "unavailable" : (codeNames.find((name) => codes[name].http === status) ?? "unknown"),
  detail: `status ${status}`,
});

/** Numbers that JSON-RPC has itself, and the table has not. */
const rpcCodes: Readonly<Record<number, string>> = { [-32_601]: "unimplemented", [-32_602]: "invalid_argument" };

const ofRpc = (rpc: number): CallFailure => ({
  code: rpcCodes[rpc] ?? codeNames.find((name) => codes[name].jsonrpc === rpc) ?? "unknown",
  detail: `JSON-RPC ${rpc}`,
});

const failureAt = (text: string, path: readonly string[]): CallFailure | undefined => {
  const error = valueAt(text, path);
  if (!isRecord(error) || !isCode(error.code)) return undefined;
  return { code: error.code, isDeclared: typeof error.reason === "string" };
};

const valueAt = (text: string, path: readonly string[]): unknown => {
  try {
    return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), JSON.parse(text));
  } catch {
    return undefined;
  }
};
