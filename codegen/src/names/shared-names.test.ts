/** Names of schemas without an id that several places have: in all documents, and whatever else a project gets or loses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { genConfigSchema } from "@fairlead/contracts";
import { expect, test } from "vitest";
import { generate } from "../generate.ts";
import { defName, type JsonSchema, rewrite } from "../schema/json-schema.ts";
import { type TemporaryProject, temporaryProject } from "../testing/fixture.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const config = genConfigSchema.parse({ python: "python/shop_client", loadTimeoutMs: 240_000 });

const head = `
const spot = z.object({ x: z.number().describe("Across"), y: z.number().describe("Up") });
const shape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle").describe("Round"), middle: spot.describe("Its middle") }),
  z.object({ kind: z.literal("path").describe("Open"), spots: z.array(spot).describe("All") }),
]);
const part = z.object({
  sku: z.string().describe("Number"),
  shape: shape.describe("Outline"),
  state: z.enum(["new", "used", "broken"]).describe("How it is"),
  tags: z.array(z.string()).optional().describe("Labels"),
});`;

type Procedures = Readonly<Record<string, readonly [input: string, output: string]>>;

const contract = (procedures: Procedures): string => `
import * as z from "zod";
import { defineContract, query } from "@fairlead/contracts";
${head}
export default defineContract({
  id: "shop", version: "1.0.0", summary: "Sells.",
  procedures: {
    ${Object.entries(procedures)
      .map(
        ([name, [input, output]]) =>
          `${name}: query({ summary: "${name}.", input: z.object({ ${input} }), output: ${output} }),`,
      )
      .join("\n    ")}
  },
});
`;

/** All that others may refer to: names by file, and what schemas behind them say with everything written out. */
interface Published {
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly schemas: ReadonlyMap<string, string>;
}

const read = (project: TemporaryProject, file: string): string => readFileSync(join(project.root, file), "utf8");

const publish = async (project: TemporaryProject, procedures: Procedures): Promise<Published> => {
  project.write("contracts/shop.contract.ts", contract(procedures));
  const { ok, diagnostics } = await generate({ root: project.root, config });
  const codes = new Set(diagnostics.map(({ code }) => code));
  codes.delete("service_missing");
  expect({ ok, codes: [...codes] }).toEqual({ ok: true, codes: [] });
  const components = JSON.parse(read(project, "gen/openapi.json")).components.schemas;
  const { $defs } = JSON.parse(read(project, "gen/shop.schema.json"));
  const find = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  return {
    names: {
      openapi: Object.keys(components),
      schema: Object.keys($defs),
      typescript: find(read(project, "gen/shop.ts"), /^export type (\w+) =/gm),
      python: find(read(project, "python/shop_client/shop.py"), /^(?:class )?([A-Z]\w*)(?=\(|:| =)/gm),
    },
    schemas: new Map(Object.keys($defs).map((name) => [name, writeOut({ $ref: `#/$defs/${name}` }, $defs)])),
  };
};

/** A schema without references, and without what is said of its place. */
const writeOut = (schema: JsonSchema, $defs: Readonly<Record<string, JsonSchema>>): string => {
  const inline = (part: JsonSchema): JsonSchema =>
    rewrite(part, ({ $ref, description: _, ...node }) => {
      const target = $ref === undefined ? undefined : $defs[defName($ref) ?? ""];
      return target === undefined ? node : inline(target);
    });
  return JSON.stringify(inline(schema));
};

const expectKept = (before: Published, after: Published): void => {
  for (const [file, names] of Object.entries(before.names))
    expect(after.names[file], file).toEqual(expect.arrayContaining([...names]));
  for (const [name, text] of before.schemas) expect(after.schemas.get(name), name).toBe(text);
};

const order: Procedures[string] = [
  'of: z.string().describe("Which")',
  'z.object({ parts: z.array(part).describe("All") })',
];
const look: Procedures[string] = [
  'like: part.describe("Like this")',
  'z.object({ best: part.describe("Best"), at: spot.describe("Where") })',
];

test("what two places have is one type under one name, in every document", async () => {
  using project = temporaryProject({});
  const { names } = await publish(project, { order, look });
  const shared = ["ShopOrderOutputParts", "ShopOrderOutputPartsState"];
  for (const file of ["openapi", "schema", "typescript"]) expect(names[file]).toEqual(expect.arrayContaining(shared));
  // Python says a choice of words where it is.
  expect(names.python).toContain("ShopOrderOutputParts");
  const client = read(project, "gen/shop.ts");
  expect(client).toContain("parts: ShopOrderOutputParts[];");
  expect(client).toContain("best: ShopOrderOutputParts;");
  expect(client).toContain("/** Best */");
  // Callers may give lists that are readonly, and what they get is not.
  expect(client).toContain("like: {");
  expect(client).toContain("tags?: readonly string[] | undefined;");
  expect(client).toContain("tags?: string[];");
  expect(read(project, "fairlead.names.lock")).toContain(
    'ShopOrderOutputParts {"at":["shop.order output parts[]","shop.look output best"]}\n',
  );
});

if (inLongTier) {
  test("a whole input or output is called after its procedure, wherever else it is", async () => {
    using project = temporaryProject({});
    const { names } = await publish(project, { order, best: ["", "part"] });
    expect(names.typescript).toEqual(expect.arrayContaining(["ShopBestOutput", "BestOutput"]));
  });
}

const edits: readonly (readonly [name: string, before: Procedures, after: Procedures])[] = [
  ["a first place gets a second one", { order }, { order, look }],
  ["the second place comes above the first", { order }, { look, order }],
  ["a whole output gets a second place", { best: ["", "part"] }, { order, best: ["", "part"] }],
  ["a third place comes above two", { order, look }, { again: order, order, look }],
  [
    "an input gets what outputs have",
    { order, look },
    { give: ['part: part.describe("Given")', "z.null()"], order, look },
  ],
  ["a part of it gets a place of its own", { order, look }, { at: ["", "shape"], order, look }],
  ["a branch gets a place of its own", { order, look }, { at: ["", "shape.options[0]"], order, look }],
];

const sample = edits.filter((_, at) => inLongTier || at % 10 === 0);

test.each(sample)("nothing is renamed when %s", async (_, before, after) => {
  using project = temporaryProject({});
  expectKept(await publish(project, before), await publish(project, after));
});

if (inLongTier) {
  test("a name stays as long as one of its places", async () => {
    using project = temporaryProject({});
    await publish(project, { order, look });
    const { names } = await publish(project, { look });
    expect(names.typescript).toEqual(expect.arrayContaining(["ShopOrderOutputParts", "LookOutput"]));
    expect(read(project, "gen/shop.ts")).toContain("best: ShopOrderOutputParts;");
  });

  test("where one of several places changes, the others keep the name", async () => {
    using project = temporaryProject({});
    const other: Procedures[string] = [
      "",
      'z.object({ parts: z.array(part.extend({ more: z.int().describe("More") })).describe("All") })',
    ];
    const before = await publish(project, { order, look, again: look });
    const after = await publish(project, { order: other, look, again: look });
    expect(after.schemas.get("ShopOrderOutputParts")).toBe(before.schemas.get("ShopOrderOutputParts"));
  });
}

test("a procedure whose type would have a name that is given is refused", async () => {
  using project = temporaryProject({});
  const nested: Procedures[string] = ["", 'z.object({ input: spot.describe("A"), other: spot.describe("B") })'];
  await publish(project, { order: nested });
  const clashing = contract({ order: nested, shopOrderOutput: ["", "z.null()"] });
  project.write("contracts/shop.contract.ts", clashing);
  const { ok, diagnostics } = await generate({ root: project.root, config });
  expect(ok).toBe(false);
  expect(diagnostics.filter(({ code }) => code === "schema_id_clash").map(({ message }) => message)).toEqual([
    expect.stringContaining("`ShopOrderOutputInput`"),
  ]);
});

if (inLongTier) {
  test("a tool has what it takes written out, unless it is shorter with a definition", async () => {
    using project = temporaryProject({});
    await publish(project, { order, look });
    const text = read(project, "gen/tools.ts");
    const { tools } = await import(
      `data:text/javascript,${encodeURIComponent(text.replace(/^import.*$/m, "").replace(": readonly ToolEntry[]", ""))}`
    );
    const tool = (name: string) => tools.find((each: { readonly procedure: string }) => each.procedure === name).tool;
    expect(tool("shop.order").outputSchema.properties.parts).toEqual({ type: "array", items: { type: "object" } });
    for (const name of ["shop.order", "shop.look"]) {
      const { inputSchema, outputSchema } = tool(name);
      for (const schema of [inputSchema, outputSchema]) {
        const { $defs = {}, ...root } = schema;
        expect(JSON.stringify(schema).length).toBeLessThanOrEqual(writeOut(root, $defs).length + 400);
      }
    }
  });
}
