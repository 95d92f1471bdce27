/**
 * The requests of the fuzzer, one for each seed: calls of every procedure that are valid or nearly so, JSON that is hardly JSON, bytes that are
 * hardly HTTP, and messages of MCP. What changes something is only sent what its contract refuses: nothing of the user's is touched.
 */
import type { Random } from "./random.ts";

/** A procedure as the OpenAPI document shows it. */
interface FuzzedProcedure {
  readonly path: string;
  /** It changes nothing. */
  readonly reads: boolean;
  readonly examples: readonly unknown[];
}

/** Reads what an OpenAPI document offers. What has a GET beside its POST only reads. */
export const readProcedures = (text: string): readonly FuzzedProcedure[] => {
  const document: { readonly paths?: Record<string, PathItem> } = JSON.parse(text);
  return Object.entries(document.paths ?? {}).flatMap(([path, { get, post }]) => {
    if (post === undefined) return [];
    const { examples = {} } = post.requestBody?.content?.["application/json"] ?? {};
    return [{ path, reads: get !== undefined, examples: Object.values(examples).map(({ value }) => value) }];
  });
};

interface PathItem {
  readonly get?: object;
  readonly post?: {
    readonly requestBody?: {
      readonly content?: Record<string, { readonly examples?: Record<string, { readonly value: unknown }> }>;
    };
  };
}

const oddValues: readonly [unknown, ...unknown[]] = [
  null,
  true,
  -1,
  0,
  0.1,
  1e308,
  -0,
  2 ** 53,
  "",
  "\u0000",
  "\ud800",
  "x".repeat(5_000),
  [],
  {},
  [[[[]]]],
  { __proto__: 1 },
  { constructor: 1 },
];

const oddTexts: readonly [string, ...string[]] = [
  "",
  "{",
  "[",
  '{"a":1,"a":2}',
  "nul",
  '{"a":1e999}',
  '{"\\ud800":1}',
  '{"a":"\\u0000"}',
  "\ufeff{}",
  '{"__proto__":{"x":1}}',
  "1 2",
  `${"[".repeat(100_000)}`,
  `{"a":${"[".repeat(65)}${"]".repeat(65)}}`,
  `{"a":"${"x".repeat(200_000)}"}`,
  `{${Array.from({ length: 11_000 }, (_, at) => `"k${at}":1`).join(",")}}`,
];

/** A value with one thing in it changed. */
const change = (value: unknown, random: Random): unknown => {
  if (random.below(4) === 0 || typeof value !== "object" || value === null) return random.pick(oddValues);
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1);
    return value.toSpliced(at, 1, change(value[at], random));
  }
  const keys = Object.keys(value);
  const key =
    random.below(3) === 0 ? `extra${random.below(10)}` : (keys[random.below(Math.max(1, keys.length))] ?? "extra");
  const { [key]: member, ...rest }: Record<string, unknown> = { ...value };
  return random.below(3) === 0 ? rest : { ...rest, [key]: change(member, random) };
};

/** A request for a bare socket. `HOST` has been replaced already. */
interface FuzzedRequest {
  readonly kind: "call" | "json" | "http" | "mcp";
  readonly bytes: Buffer;
}

const post = (path: string, body: string, host: string, headers = ""): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n${headers}\r\n${body}`,
  );

/** The request of this seed. */
export const makeRequest = (random: Random, procedures: readonly FuzzedProcedure[], host: string): FuzzedRequest => {
  const kind = random.below(4);
  // Hardly JSON may still be an object that an input with nothing but optional members takes.
  const offered = kind === 1 ? procedures.filter(({ reads }) => reads) : procedures;
  const procedure = offered[random.below(offered.length)] ?? {
    path: "/api/kernel/ping",
    reads: true,
    examples: [{}],
  };
  switch (kind) {
    case 0:
      return { kind: "call", bytes: post(procedure.path, JSON.stringify(input(procedure, random)), host) };
    case 1:
      return { kind: "json", bytes: post(procedure.path, random.pick(oddTexts), host) };
    case 2:
      return { kind: "mcp", bytes: post("/mcp", JSON.stringify(mcpMessage(random)), host) };
    default:
      return { kind: "http", bytes: Buffer.from(brokenHttp(random, host), "latin1") };
  }
};

/** For what changes something: never an object, so that its contract refuses it. */
const input = ({ reads, examples }: FuzzedProcedure, random: Random): unknown => {
  if (!reads) return random.pick<unknown>(["text", 1, null, [1], true]);
  const example = examples[random.below(Math.max(1, examples.length))] ?? {};
  let value: unknown = example;
  for (let times = random.below(4); times > 0; times -= 1) value = change(value, random);
  return value;
};

const mcpMessage = (random: Random): unknown => {
  const method = random.pick([
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "server/discover",
    "nothing",
    "",
  ]);
  const good = {
    jsonrpc: "2.0",
    id: random.pick<unknown>([1, "a", null, -1, 1.5, {}]),
    method,
    params: { name: "nothing", arguments: {} },
  };
  return random.below(3) === 0 ? [good, good] : change(good, random);
};

const brokenHttp = (random: Random, host: string): string => {
  const body = "{}";
  const head = `POST /api/kernel/ping HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  const whole = random.pick([
    `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n`,
    `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n${body}`,
    `${head}Content-Length: -1\r\n\r\n${body}`,
    `${head}Content-Length: 99999999999999999999\r\n\r\n${body}`,
    `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${body}`,
    `${head}Transfer-Encoding: chunked, identity\r\n\r\n2\r\n${body}\r\n0\r\n\r\n`,
    `${head}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n${body}`,
    `${head}X: ${"y".repeat(20_000)}\r\n\r\n`,
    `GET /livez HTTP/1.1\r\nHost: ${host}\r\nX : y\r\n\r\n`,
    `GET /${"x".repeat(9_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    "GET http://elsewhere.example/livez HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    `${`GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(30)}`,
    `${head}Content-Length: 2\r\n\r\n${body}`,
  ]);
  if (random.below(2) === 0) return whole;
  const at = random.below(whole.length);
  const put = random.pick(["\r\n", "\n", "\0", "\t", ":", "\u00ff", "\r\n\r\n", "x".repeat(300)]);
  return whole.slice(0, at) + put + whole.slice(at + random.below(5));
};
