/** The fuzzer's requests: the same for a seed, and harmless for what changes something. */
import { expect, it } from "vitest";
import { Random } from "./random.ts";
import { formatReport } from "./report.ts";
import { makeRequest, readProcedures } from "./requests.ts";

const document = JSON.stringify({
  paths: {
    "/api/shop/find": {
      get: {},
      post: { requestBody: { content: { "application/json": { examples: { one: { value: { name: "lamp" } } } } } } },
    },
    "/api/shop/buy": { post: {} },
    "/livez": { get: {} },
  },
});

it("reads procedures, what they do and their examples", () => {
  expect(readProcedures(document)).toEqual([
    { path: "/api/shop/find", reads: true, examples: [{ name: "lamp" }] },
    { path: "/api/shop/buy", reads: false, examples: [] },
  ]);
});

it("makes the same request of the same seed, and all kinds", () => {
  const make = (seed: number) => makeRequest(new Random(seed), readProcedures(document), "127.0.0.1:1");
  expect(make(7)).toEqual(make(7));
  const kinds = new Set(Array.from({ length: 50 }, (_, seed) => make(seed).kind));
  expect(kinds).toEqual(new Set(["call", "json", "mcp", "http"]));
});

it("sends no object to a procedure that changes something", () => {
  const [, buy] = readProcedures(document);
  const requests = Array.from({ length: 400 }, (_, seed) =>
    makeRequest(new Random(seed), buy === undefined ? [] : [buy], "127.0.0.1:1"),
  );
  expect(requests.filter(({ kind, bytes }) => kind === "json" && bytes.includes("/api/shop/"))).toEqual([]);
  const bodies = requests
    .filter(({ kind }) => kind === "call")
    .map(({ bytes }) => bytes.toString().split("\r\n\r\n")[1] ?? "");
  expect(bodies.length).toBeGreaterThan(20);
  expect(bodies.filter((body) => body.startsWith("{"))).toEqual([]);
});

it("reports on one page what failed, and how to do it again", () => {
  const page = formatReport({
    seed: 7,
    quick: true,
    seconds: 1,
    results: [{ name: "stops", ok: false, figures: "3 stops", problems: ["it ended with 1"] }],
  });
  expect(page).toContain("| stops | FAILED | 3 stops |");
  expect(page).toContain("- it ended with 1");
  expect(page).toContain("`fairlead selftest --seed 7 --quick`");
});
