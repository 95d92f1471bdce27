/**
 * Plain calls are answered past tRPC's own protocol code: here each request is sent a second time with an empty `trpc-accept`, which means the
 * same to tRPC and is never taken for plain, and both answers have to be the same.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fixture, send, startFixture } from "../../testing/wire-fixture.ts";

const inLongTier = process.env.TESTS_TIER === "long";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What differs from one call to the next: the id of a defect, and the time. */
const comparable = ({ status, headers, text }: Awaited<ReturnType<typeof send>>) => {
  const { date: _, connection: _connection, ...rest } = headers;
  return { status, headers: { ...rest, "content-length": undefined }, text: text.replace(/[0-9a-f-]{36}/g, "an id") };
};

const answers = async (sent: Sent) => {
  const headers = { ...(sent.body !== undefined && { "content-type": "application/json" }), ...sent.headers };
  const [plain, own] = [
    await send(fixture.port, { ...sent, headers }),
    await send(fixture.port, { ...sent, headers: { ...headers, "trpc-accept": "" } }),
  ];
  return [comparable(plain), comparable(own)];
};

const value = fc.oneof(
  { weight: 3, arbitrary: fc.record({ a: fc.integer(), b: fc.integer() }) },
  fc.record({ items: fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 4 }) }),
  fc.record({ json: fc.jsonValue({ maxDepth: 1 }), meta: fc.constant({}) }),
  fc.constant({}),
  fc.jsonValue({ maxDepth: 2 }),
);
const path = fc.constantFrom(
  "wire.sum",
  "wire.list",
  "wire.strict",
  "wire.small",
  "wire.crash",
  "wire.busy",
  "wire.off",
);
const name = fc.oneof(
  { weight: 12, arbitrary: path },
  fc.constantFrom("wire.loud", "wire.count", "wire.none", "__proto__", "", "wire.sum.x", "wire%2Esum"),
);
const odd = fc.constantFrom("", "null", "[]", '"x"', "{", '{"0":', '{"__proto__":{"a":1},"a":1,"b":2}', "1e999");

/** The text of an input: JSON that may fit, and what is none. */
const inputText = (json: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 8, arbitrary: json.map((each) => JSON.stringify(each) ?? "") }, odd);
const method = fc.oneof({ weight: 6, arbitrary: fc.constantFrom("GET", "POST") }, fc.constantFrom("PUT", "DELETE"));
const extra = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.constantFrom({ accept: "*/*" }, { accept: "application/json" }, { origin: "http://127.0.0.1" }),
);

const sentAs = (
  way: string,
  called: string,
  query: readonly string[],
  input: string,
  headers: Sent["headers"] = {},
): Sent => {
  const parts = way === "GET" && input !== "" ? [...query, `input=${encodeURIComponent(input)}`] : query;
  const address = `/trpc/${called}${parts.length === 0 ? "" : `?${parts.join("&")}`}`;
  return { method: way, path: address, headers, ...(way !== "GET" && { body: input }) };
};

const single = fc
  .tuple(method, name, inputText(value), extra)
  .map(([way, called, input, headers]) => sentAs(way, called, [], input, headers));
const batch = fc
  .tuple(
    method,
    fc.array(fc.tuple(name, fc.option(value)), { minLength: 1, maxLength: 5 }),
    odd,
    fc.integer({ min: 0, max: 9 }),
    extra,
  )
  .map(([way, calls, other, chance, headers]) => {
    const inputs = Object.fromEntries(calls.flatMap(([, each], at) => (each === null ? [] : [[at, each]])));
    const input = chance === 0 ? other : JSON.stringify(inputs);
    return sentAs(way, calls.map(([called]) => called).join(","), ["batch=1"], input, headers);
  });

describe("a plain call is answered as by tRPC's own code", () => {
  test.each([
    ["a query", sentAs("GET", "wire.sum", [], '{"a":1,"b":2}')],
    ["a query by POST", sentAs("POST", "wire.sum", [], '{"a":1,"b":2}')],
    ["a declared error", sentAs("GET", "wire.busy", [], "{}")],
    ["a defect", sentAs("GET", "wire.crash", [], "{}")],
    ["a serialized input", sentAs("POST", "wire.sum", [], '{"json":{"a":1},"meta":{}}')],
    [
      "a batch of the same status",
      sentAs("GET", "wire.sum,wire.list", ["batch=1"], '{"0":{"a":1,"b":2},"1":{"items":[]}}'),
    ],
    [
      "a batch of several",
      sentAs("POST", "wire.sum,wire.busy,wire.sum", ["batch=1"], '{"0":{"a":1,"b":2},"2":{"a":1}}'),
    ],
    ["a batch whose inputs are a list", sentAs("POST", "wire.sum", ["batch=1"], '[{"a":1,"b":2}]')],
    ["a batch of kinds", sentAs("POST", "wire.sum,wire.loud", ["batch=1"], '{"0":{"a":1,"b":2},"1":{}}')],
    ["a deadline", { ...sentAs("GET", "wire.slow", [], "{}"), headers: { "fairlead-timeout-ms": "5" } }],
    ["parameters of a connection", sentAs("GET", "wire.sum", ["connectionParams=%7B%7D"], '{"a":1,"b":2}')],
  ])("%s", async (_, sent) => {
    const [plain, own] = await answers(sent);
    expect(plain).toEqual(own);
  });

  test("whatever is sent", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(single, batch), async (sent) => {
        const [plain, own] = await answers(sent);
        expect(plain).toEqual(own);
      }),
      { numRuns: inLongTier ? 300 : 60 },
    );
  });
});
