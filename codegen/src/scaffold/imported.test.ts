import { readFileSync } from "node:fs";
import { join } from "node:path";
import { genConfigSchema, type ImportRelay } from "@fairlead/contracts";
import { expect, test } from "vitest";
import { generate } from "../generate.ts";
import { temporaryProject } from "../testing/fixture.ts";
import { importTools } from "./imported.ts";
import type { UpstreamTool } from "./imported-text.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const config = genConfigSchema.parse({ include: ["@fairlead/service-connections"], loadTimeoutMs: 240_000 });

const through: ImportRelay = {
  service: "connections",
  package: "@fairlead/service-connections",
  runtime: "@fairlead/service-connections/imported",
  verbs: { import: "conn import", status: "conn status" },
};

const tool = (upstreamName: string, more: Partial<UpstreamTool> = {}): UpstreamTool => ({
  name: `up__${upstreamName}`,
  upstreamName,
  description: "Does it.",
  inputSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  outputSchema: null,
  annotations: {},
  ...more,
});

const output = { type: "object", properties: { sum: { type: "number", description: "The sum" } }, required: ["sum"] };

test("an import generates without a complaint, and can be repeated", async () => {
  using project = temporaryProject();
  const { root } = project;
  const options = { root, config, id: "up", connection: "up", through };
  const tools = [
    tool("get-sum", { outputSchema: output, annotations: { readOnlyHint: true } }),
    tool("delete_all", { annotations: { destructiveHint: true } }),
    tool("put", { annotations: { idempotentHint: true }, description: `First line.\n\n${"More. ".repeat(500)}` }),
    tool("", { upstreamName: "7 odd!" }),
    tool("then"),
    tool("get.sum"),
    tool("toString"),
  ];
  const made = await importTools({ ...options, tools });
  expect(made).toEqual({
    ok: true,
    written: ["contracts/up.contract.ts", "services/up/tools.ts", "services/up/service.ts"],
    next: ["run `fairlead gen`"],
    left: [],
  });
  expect(await generate({ root, config })).toMatchObject({ ok: true, diagnostics: [] });
  // The package that is named under `include` brings its service.
  const manifest = readFileSync(join(root, "gen/manifest.ts"), "utf8");
  expect(manifest).toContain('{ id: "connections", module: "@fairlead/service-connections/service" }');
  const client = readFileSync(join(root, "gen/up.ts"), "utf8");
  for (const [name, kind, retry] of [
    ["getSum", "query", "safe"],
    ["deleteAll", "mutation", "unsafe"],
    ["put", "mutation", "idempotent"],
    ["tool7Odd", "mutation", "unsafe"],
    ["thenTool", "mutation", "unsafe"],
    ["getSum2", "mutation", "unsafe"],
    ["toStringTool", "mutation", "unsafe"],
  ]) {
    expect(client).toMatch(new RegExp(`name: "up.${name}", kind: "${kind}".*retry: "${retry}"`));
  }
  project.write("services/up/service.ts", "// mine\n");
  expect(await importTools({ ...options, tools: tools.slice(0, 1) })).toMatchObject({
    ok: true,
    written: ["contracts/up.contract.ts", "services/up/tools.ts"],
  });
  expect(readFileSync(join(root, "contracts/up.contract.ts"), "utf8")).not.toContain("deleteAll");
});

test("what people wrote is not written over, and odd tools are left out with the reason", async () => {
  using project = temporaryProject({ "contracts/up.contract.ts": "export {};\n" });
  const { root } = project;
  const options = {
    root,
    through,
    config: genConfigSchema.parse({ loadTimeoutMs: 240_000 }),
    connection: "up",
    tools: [tool("a")],
  };
  expect(await importTools({ ...options, id: "up" })).toMatchObject({
    ok: false,
    message: "contracts/up.contract.ts exists already",
  });
  expect(await importTools({ ...options, id: "no id" })).toMatchObject({ ok: false });
  for (const id of ["kernel", "connections", "rules"]) {
    const include = ["@fairlead/contracts/rules"];
    expect(
      await importTools({ ...options, config: genConfigSchema.parse({ include, loadTimeoutMs: 240_000 }), id }),
    ).toMatchObject({
      ok: false,
      message: `${id} is a service that ships with Fairlead`,
    });
  }
  const odd = tool("odd", { inputSchema: { type: "object", properties: { toString: { type: "string" } } } });
  expect(await importTools({ ...options, id: "other", tools: [odd] })).toMatchObject({ ok: false });
  expect(await importTools({ ...options, id: "other", tools: [odd, tool("a")] })).toMatchObject({
    ok: true,
    left: [{ tool: "odd", why: "every JavaScript object has a `toString` of its own" }],
    // Known, so that nobody is told later that it is new.
    written: expect.arrayContaining(["services/other/tools.ts"]),
    next: ['name "@fairlead/service-connections" under `gen.include` in the configuration', "run `fairlead gen`"],
  });
});

const text = { type: "string" };
const node = { type: "object", properties: { v: text, kids: { type: "array", items: { $ref: "#/$defs/n" } } } };
const ofObjects = [{ required: ["a"], properties: { a: text } }, { $ref: "#/$defs/n" }];

const oddSchemas: readonly (readonly [name: string, schema: UpstreamTool["inputSchema"]])[] = [
  ["joined on top", { type: "object", allOf: ofObjects, $defs: { n: node } }],
  ["branched on top", { type: "object", oneOf: ofObjects, $defs: { n: node } }],
  ["branched on top into what is none", { type: "object", anyOf: [text, { enum: [1, "a", null] }] }],
  ["that only says what is needed", { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] }],
  ["that is a reference", { type: "object", $ref: "#/$defs/n", $defs: { n: node } }],
  ["that is itself", { type: "object", properties: { next: { $ref: "#" } } }],
  ["that joins itself", { type: "object", allOf: [{ $ref: "#" }] }],
  ["with names that are none", { type: "object", properties: { "a-b": text, "": text, "1x": text, 'q"`${x}': text } }],
  ["without types", { type: "object", properties: { x: {}, y: { enum: ["a", 1, true, null] }, z: { pattern: "(" } } }],
];

test.each(oddSchemas.filter((_, at) => inLongTier || at % 12 === 0))(
  "a schema %s is generated from without a complaint",
  async (_, schema) => {
    using project = temporaryProject();
    const { root } = project;
    const tools = [tool("a", { inputSchema: schema, outputSchema: schema })];
    expect(await importTools({ root, config, through, id: "up", connection: "up", tools })).toMatchObject({
      ok: true,
      left: [],
    });
    expect(await generate({ root, config })).toMatchObject({ ok: true, diagnostics: [] });
  },
);

test("a tool that is left out is known to the service", async () => {
  using project = temporaryProject();
  const { root } = project;
  const odd = tool("odd", { inputSchema: { type: "object", properties: { toString: { type: "string" } } } });
  await importTools({ root, config, through, id: "up", connection: "up", tools: [odd, tool("a")] });
  expect(readFileSync(join(root, "services/up/tools.ts"), "utf8")).toMatch(/left[\s\S]*"upstreamName": "odd"/);
  expect(readFileSync(join(root, "services/up/service.ts"), "utf8")).toContain("tools, left }");
});

test("a workspace gets a package", async () => {
  using project = temporaryProject({
    "contracts/package.json": '{ "name": "@fairlead/contracts", "version": "0.3.0" }',
  });
  const { root } = project;
  const workspace = genConfigSchema.parse({ contracts: ["contracts/src"], loadTimeoutMs: 240_000 });
  const made = await importTools({ root, config: workspace, through, id: "up", connection: "up", tools: [tool("a")] });
  expect(made).toMatchObject({ ok: true, next: ["run `npm install`", "run `fairlead gen`"] });
  const service = readFileSync(join(root, "services/up/src/service.ts"), "utf8");
  expect(service).toContain('import contract from "@fairlead/contracts/up";');
  const { dependencies } = JSON.parse(readFileSync(join(root, "services/up/package.json"), "utf8"));
  expect(Object.keys(dependencies)).toContain("@fairlead/service-connections");
});
