/**
 * For tests only: posted `tools/call` messages and their headers, from well-formed ones of both eras by a few changes each, so that
 * most are nearly right.
 */
import fc from "fast-check";
import { isRecord } from "../call/record.ts";
import { envelope, modern, rpc } from "./mcp-fake-client.ts";

/** One POST. A header may come more than once. */
export interface OddCall {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
}

type Json = Record<string, unknown>;
type Change = (call: { headers: Record<string, string | readonly string[]>; body: unknown }) => void;

const protocol = "io.modelcontextprotocol/" as const;
const info = ["params", "_meta", `${protocol}clientInfo`] as const;
const able = ["params", "_meta", `${protocol}clientCapabilities`] as const;

const places: readonly (readonly string[])[] = [
  ...["jsonrpc", "id", "method", "params", "result", "error", "more", "__proto__"].map((key) => [key]),
  ...["name", "arguments", "_meta", "task", "requestState", "inputResponses", "__proto__"].map((key) => [
    "params",
    key,
  ]),
  ...["progressToken", "traceparent", "tracestate", "fairlead/timeoutMs", "fairlead/idempotencyKey", "more"].map(
    (key) => ["params", "_meta", key],
  ),
  ...["protocolVersion", "clientInfo", "clientCapabilities", "logLevel", "related-task", "serverInfo", "more"].map(
    (key) => ["params", "_meta", `${protocol}${key}`],
  ),
  ...["name", "version", "title", "icons", "websiteUrl", "description", "more"].map((key) => [...info, key]),
  ...["roots", "sampling", "elicitation", "experimental", "extensions", "tasks", "more"].map((key) => [...able, key]),
  [...able, "roots", "listChanged"],
  [...able, "sampling", "tools"],
  [...able, "elicitation", "form"],
  [...able, "elicitation", "url"],
  [...able, "experimental", "more"],
];

const values = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    0,
    -0,
    1.5,
    -1,
    2 ** 53,
    1e300,
    "",
    "x",
    "é",
    "y".repeat(300),
    [],
    {},
  ),
  fc.constantFrom<unknown>("1.0", "2.0", "tools/call", "tools/list", "ping", modern, "2025-11-25", "debug", 0, "add"),
  fc.constantFrom<unknown>({ more: {} }, { listChanged: {} }, { listChanged: true }, { form: {} }, { url: {} }, [{}]),
  fc.constantFrom<unknown>({ elicitation: {} }, { elicitation: { form: {} } }, { elicitation: { url: {} } }),
  fc.constantFrom<unknown>({ name: "n", version: "1", icons: "x" }, { taskId: "t" }, { a: 1, b: 2 }, { text: "t" }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Puts a value where it is said, through objects that are made on the way; `undefined` takes away what is there. */
const put = (root: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown => {
  if (key === "" || !isRecord(root)) return root;
  if (rest.length > 0) return { ...root, [key]: put(root[key] ?? {}, rest, value) };
  const { [key]: _, ...others } = root;
  return value === undefined ? others : { ...others, [key]: value };
};

const inBody: fc.Arbitrary<Change> = fc
  .record({ place: fc.constantFrom(...places), value: values })
  .map(({ place, value }) => (call) => {
    call.body = put(call.body, place, value);
  });

const headerValues = fc.constantFrom<string | readonly string[] | undefined>(
  undefined,
  "",
  "x",
  "*/*",
  "application/json",
  "application/json;q=0.5, text/event-stream; charset=utf-8",
  ["application/json", "text/event-stream"],
  "text/event-stream, application/jsonp",
  ["tools/call", "tools/call"],
  "tools/call ",
  "Tools/Call",
  "tools/list",
  "add ",
  "text",
  "=?base64?YWRk?=",
  modern,
  "2025-11-25",
  "2024-11-05",
  "2024-10-07",
  "2030-01-01",
  "1999-01-01",
);

const inHeaders: fc.Arbitrary<Change> = fc
  .record({
    name: fc.constantFrom(
      "accept",
      "mcp-protocol-version",
      "mcp-method",
      "mcp-name",
      "mcp-session-id",
      "last-event-id",
    ),
    value: headerValues,
  })
  .map(({ name, value }) => (call) => {
    const { [name]: _, ...others } = call.headers;
    call.headers = value === undefined ? others : { ...others, [name]: value };
  });

const rare: fc.Arbitrary<Change> = fc.constantFrom<Change>(
  (call) => {
    call.body = [call.body];
  },
  (call) => {
    call.body = [call.body, rpc("ping", {}, 9)];
  },
);

/** Calls of these tools; `headers` are those of a session, or of none. */
export const oddCalls = (
  era: "session" | "stateless",
  tools: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): fc.Arbitrary<OddCall> => {
  const args = fc.constantFrom<unknown>(undefined, {}, { a: 1, b: 2 }, { text: "t" }, { a: { b: [null] } });
  const meta = fc.constantFrom<Json>({}, { progressToken: "p" }, { progressToken: 0, more: [1] });
  const well = fc
    .record({ name: fc.constantFrom(...tools), args, meta, id: fc.constantFrom<unknown>(1, 0, -7, "one", "") })
    .map(({ name, args: given, meta: more, id }): OddCall => {
      const _meta = era === "stateless" ? { ...envelope, ...more } : more;
      const modernHeaders = { "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": name };
      return {
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(era === "stateless" ? modernHeaders : headers),
        },
        body: rpc("tools/call", { name, ...(given !== undefined && { arguments: given }), _meta }, id),
      };
    });
  return changed(well);
};

/** Questions for the list of tools. */
export const oddLists = (
  era: "session" | "stateless",
  headers: Readonly<Record<string, string>> = {},
): fc.Arbitrary<OddCall> => {
  const modernHeaders = { "mcp-protocol-version": modern, "mcp-method": "tools/list" };
  const well = fc.constantFrom<unknown>(1, 0, -7, "one", "", "é\n").map(
    (id): OddCall => ({
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(era === "stateless" ? modernHeaders : headers),
      },
      body: rpc("tools/list", era === "stateless" ? { _meta: envelope } : {}, id),
    }),
  );
  return changed(well);
};

/** The same, some of them with a few changes. */
const changed = (well: fc.Arbitrary<OddCall>): fc.Arbitrary<OddCall> => {
  const changes = fc.array(
    fc.oneof({ weight: 8, arbitrary: inBody }, { weight: 4, arbitrary: inHeaders }, { weight: 1, arbitrary: rare }),
    { maxLength: 3 },
  );
  return fc.tuple(well, changes).map(([call, made]) => {
    const odd = { ...call };
    for (const change of made) change(odd);
    return odd;
  });
};
