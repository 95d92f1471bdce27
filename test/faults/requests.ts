/**
 * Requests that are wrong in every way that still is HTTP: inputs near what the contracts want, tRPC calls and batches, MCP
 * messages of both eras, paths and headers of all kinds. Data only; `send.ts` sends it, the tests judge the answers.
 *
 * Bytes that are no HTTP are in `broken-http.ts`.
 */
import fc from "fast-check";
import { bodyOf, flat, hostile, mangled, sample, sampleOf, streams } from "./inputs.ts";
import { oddMessage, properCall } from "./messages.ts";

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const json = { "content-type": "application/json" };

const asQuery = (input: unknown): string =>
  new URLSearchParams(
    Object.entries(Object(input)).map(([key, value]): [string, string] => [key, shown(value)]),
  ).toString();

const shown = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

const api: fc.Arbitrary<Sent> = fc.oneof(
  {
    weight: 4,
    arbitrary: sampleOf((name) => !flat.includes(name)).chain(({ name, input }) =>
      bodyOf(input).map((body) => ({ method: "POST", path: pathOf(name), headers: json, body })),
    ),
  },
  {
    weight: 1,
    arbitrary: sampleOf((name) => flat.includes(name)).chain(({ name, input }) =>
      mangled(input).map((value) => ({ method: "GET", path: `${pathOf(name)}?${asQuery(value)}`, headers: {} })),
    ),
  },
);

const pathOf = (name: string): string => `/api/${name.replace(".", "/")}`;

const trpc: fc.Arbitrary<Sent> = fc.oneof(
  sample.chain(({ name, input }) =>
    bodyOf(input).map((body) => ({ method: "POST", path: `/trpc/${name}`, headers: json, body })),
  ),
  sample.chain(({ name, input }) =>
    bodyOf(input).map((body) => ({
      method: "GET",
      path: `/trpc/${name}?input=${encodeURIComponent(String(body).toWellFormed()).slice(0, 4_000)}`,
      headers: {},
    })),
  ),
  fc
    .array(
      sampleOf((name) => !streams.includes(name)).chain(({ name, input }) =>
        mangled(input).map((value) => ({ name, value })),
      ),
      { minLength: 1, maxLength: 24 },
    )
    .map((calls) => ({
      method: "POST",
      path: `/trpc/${calls.map(({ name }) => name).join(",")}?batch=1`,
      headers: json,
      body: JSON.stringify(Object.fromEntries(calls.map(({ value }, index) => [index, value]))),
    })),
  fc.tuple(sample, hostile).map(([{ name }, value]) => ({
    method: "POST",
    path: `/trpc/${name},${name}?batch=1`,
    headers: json,
    body: JSON.stringify(value) ?? "",
  })),
);

const pair =
  (name: string) =>
  (value: string): readonly [string, string] => [name, value];

const documents = ["/", "/openapi.json", "/schema/rules.json", "/livez", "/readyz", "/metrics", "/version", "/docs"];
const segment = fc.oneof(
  fc.constantFrom(
    "api",
    "trpc",
    "mcp",
    "schema",
    "target",
    "sum",
    "..",
    ".",
    "%2e%2e",
    "%2f",
    "%00",
    "%",
    "%zz",
    "%c0%ae",
    "",
  ),
  fc.webSegment(),
);
const oddPath = fc.oneof(
  fc.constantFrom(...documents),
  fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => `/${parts.join("/")}`),
  fc.tuple(fc.constantFrom(...documents), fc.webQueryParameters()).map(([path, query]) => `${path}?${query}`),
);

const header: fc.Arbitrary<readonly [string, string]> = fc.constantFrom<readonly [string, string]>(
  ...["application/json", "text/plain", "application/json; charset=utf-7", "x", ""].map(pair("content-type")),
  ...["gzip", "identity"].map(pair("content-encoding")),
  ...["http://evil.example", "null", "http://127.0.0.1"].map(pair("origin")),
  ...["cross-site", "same-origin", "what"].map(pair("sec-fetch-site")),
  ...["Bearer ", "Bearer x", "Basic eDp4", "x".repeat(2_000)].map(pair("authorization")),
  ...["00-0-0-0", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"].map(pair("traceparent")),
  ...["-1", "0", "x", "1e3", "99999999999999999999"].map(pair("fairlead-timeout-ms")),
  ...["", " ", "x".repeat(300)].map(pair("idempotency-key")),
  ...["", "x", "-1", "9".repeat(40)].map(pair("last-event-id")),
  ...["text/event-stream", "*/*", "x"].map(pair("accept")),
  ...["DELETE", "POST"].map(pair("x-http-method-override")),
  ...["upgrade", "close"].map(pair("connection")),
  ...["websocket", "h2c"].map(pair("upgrade")),
);

/** Any method at any path, with a few headers that it should not have. */
const elsewhere: fc.Arbitrary<Sent> = fc
  .record({
    method: fc.constantFrom("GET", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND"),
    path: oddPath,
    headers: fc.array(header, { maxLength: 2 }).map((pairs) => Object.fromEntries(pairs)),
    body: fc.option(fc.oneof(fc.json(), fc.string()), { nil: undefined }),
  })
  .map(({ body, ...sent }) => ({ ...sent, ...(body !== undefined && sent.method === "POST" && { body }) }));

/** A malformed request over any of the network's ways in. `session`: an MCP session that is open. */
export const requests = (session: string): fc.Arbitrary<Sent> =>
  fc.oneof(
    { weight: 4, arbitrary: api },
    { weight: 3, arbitrary: trpc },
    { weight: 2, arbitrary: properCall(session) },
    { weight: 1, arbitrary: oddMessage(session) },
    { weight: 2, arbitrary: elsewhere },
  );
