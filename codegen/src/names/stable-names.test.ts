/** Names of shared types, as projects get them: once for all contracts, and kept by the lock when something changes elsewhere. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { genConfigSchema } from "@fairlead/contracts";
import { describe, expect, test } from "vitest";
import { checkDrift, generate } from "../generate.ts";
import { type TemporaryProject, temporaryProject } from "../testing/fixture.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const config = genConfigSchema.parse({ loadTimeoutMs: 240_000 });
const lock = "fairlead.names.lock";

const money = 'export const money = z.object({ amount: z.int().describe("Cents") }).meta({ id: "Money" });';
const tree = `
export const tree = z.object({ word: z.string().describe("Word"), get inner() { return z.array(tree).describe("Inside"); } });`;

/** A contract whose procedures are given as `name: [input, output]`. */
const contract = (id: string, procedures: Readonly<Record<string, readonly [string, string]>>, head = money + tree) => `
import * as z from "zod";
import { defineContract, query } from "@fairlead/contracts";
${head}
export default defineContract({
  id: "${id}", version: "1.0.0", summary: "Sells.",
  procedures: {
    ${Object.entries(procedures)
      .map(
        ([name, [input, output]]) =>
          `${name}: query({ summary: "${name}.", tool: "${id}_${name.toLowerCase()}", input: z.object({ ${input} }), output: ${output} }),`,
      )
      .join("\n    ")}
  },
});
`;

const run = async (project: TemporaryProject) => {
  const { diagnostics, ok } = await generate({ root: project.root, config });
  return { ok, errors: diagnostics.filter(({ code }) => code !== "service_missing") };
};
const read = (project: TemporaryProject, file: string): string => readFileSync(join(project.root, file), "utf8");
const types = (text: string): readonly string[] =>
  [...text.matchAll(/export type (\w+) =/g)].map(([, name = ""]) => name);

const price: readonly [string, string] = ['of: z.string().describe("What")', "money"];
const words: readonly [string, string] = ["", 'z.object({ all: z.array(tree).describe("All") })'];

describe("an id is the name on every side, once for all contracts", () => {
  const plain = 'z.object({ pay: money.describe("What to pay") })';
  const both = { price, pay: ['with: money.describe("What to pay")', plain] } as const;

  test("and MoneyInput only where the sides differ", async () => {
    using project = temporaryProject({
      "contracts/shop.contract.ts": contract("shop", both),
      "contracts/till.contract.ts": contract("till", { total: price }, money),
    });
    expect(await run(project)).toEqual({ ok: true, errors: [] });
    const names = ["Money"];
    for (const service of ["shop", "till"]) {
      const { $defs } = JSON.parse(read(project, `gen/${service}.schema.json`));
      expect(Object.keys($defs).filter((name) => !name.includes("."))).toEqual(names);
      expect(read(project, `gen/${service}.ts`)).toMatch(/export type \{ Money \};/);
    }
    expect(types(read(project, "gen/shared-types.ts"))).toEqual(names);
    const { components } = JSON.parse(read(project, "gen/openapi.json"));
    const named = Object.keys(components.schemas).filter((name) => !name.includes(".") && !name.startsWith("Kernel"));
    expect(named).toEqual(["Problem", "Json", ...names]);
    const shop = JSON.parse(read(project, "gen/openapi.json")).components.schemas["shop.price.output"];
    expect(shop).toEqual({ $ref: "#/components/schemas/Money" });

    project.write(
      "contracts/shop.contract.ts",
      contract("shop", both, money.replace('"Cents")', '"Cents").default(0)') + tree),
    );
    project.write(
      "contracts/till.contract.ts",
      contract("till", { total: price }, money.replace('"Cents")', '"Cents").default(0)')),
    );
    expect(await run(project)).toEqual({ ok: true, errors: [] });
    const { $defs } = JSON.parse(read(project, "gen/shop.schema.json"));
    expect(Object.keys($defs).filter((name) => !name.includes("."))).toEqual(["Money", "MoneyInput"]);
    expect($defs.MoneyInput.required).toBeUndefined();
    expect($defs.Money.required).toEqual(["amount"]);
    expect(types(read(project, "gen/shop.ts"))).toContain("MoneyInput");
    expect(types(read(project, "gen/shared-types.ts"))).toEqual(names);
  });

  if (inLongTier) {
    test("and what one side has called first keeps its name when the other side comes", async () => {
      const optional = money.replace('"Cents")', '"Cents").default(0)');
      using project = temporaryProject({
        "contracts/shop.contract.ts": contract(
          "shop",
          { pay: ['with: money.describe("What to pay")', "z.null()"] },
          optional,
        ),
      });
      await run(project);
      expect(types(read(project, "gen/shop.ts"))).toContain("Money");
      project.write("contracts/shop.contract.ts", contract("shop", both, optional + tree));
      await run(project);
      expect(types(read(project, "gen/shop.ts"))).toEqual(expect.arrayContaining(["Money", "MoneyOutput"]));
    });
  }
});

describe("the lock keeps names", () => {
  test("of anonymous schemas when a procedure is added above, and when the first one goes", async () => {
    using project = temporaryProject({ "contracts/shop.contract.ts": contract("shop", { words, more: words }) });
    expect(await run(project)).toEqual({ ok: true, errors: [] });
    const before = types(read(project, "gen/shop.ts"));
    expect(before).toContain("ShopWordsOutputAll");
    project.write("contracts/shop.contract.ts", contract("shop", { above: words, words, more: words }));
    await run(project);
    expect(types(read(project, "gen/shop.ts"))).toEqual(expect.arrayContaining([...before]));
    project.write("contracts/shop.contract.ts", contract("shop", { above: words, more: words }));
    await run(project);
    expect(types(read(project, "gen/shop.ts"))).toContain("ShopWordsOutputAll");
  });

  if (inLongTier) {
    test("a name that nothing has any more stays until its line is deleted, with a warning", async () => {
      using project = temporaryProject({ "contracts/shop.contract.ts": contract("shop", { words, price }) });
      await run(project);
      project.write("contracts/shop.contract.ts", contract("shop", { price }));
      const { ok, errors } = await run(project);
      expect({ ok, codes: errors.map(({ code }) => code) }).toEqual({ ok: true, codes: ["name_unused"] });
      expect(errors[0]?.message).toContain("`ShopWordsOutputAll`");
      writeFileSync(join(project.root, lock), read(project, lock).replace(/^ShopWordsOutputAll.*\n/m, ""));
      expect(await run(project)).toEqual({ ok: true, errors: [] });
      expect(read(project, lock)).toContain("\nMoney ");
    });

    test("is part of what --check compares, and refused when it cannot be read", async () => {
      using project = temporaryProject({ "contracts/shop.contract.ts": contract("shop", { price }) });
      await run(project);
      const whole = read(project, lock);
      writeFileSync(join(project.root, lock), whole.replace(/^Money.*\n/m, ""));
      expect((await checkDrift({ root: project.root, config })).drift).toEqual([{ path: lock, change: "changed" }]);
      writeFileSync(join(project.root, lock), `<<<<<<< HEAD\n${whole}`);
      const { ok, errors } = await run(project);
      expect({ ok, codes: errors.map(({ code }) => code) }).toEqual({ ok: false, codes: ["names_lock_invalid"] });
      expect(errors[0]?.source).toBe(`${lock}:1`);
    });

    test("has the names of the kernel's own contract alone where the contracts share nothing", async () => {
      using project = temporaryProject({ "contracts/shop.contract.ts": contract("shop", { count: ["", "z.int()"] }) });
      await run(project);
      const names = read(project, lock).matchAll(/^\w+ /gm);
      expect([...names].filter(([name]) => !name.startsWith("Kernel"))).toEqual([]);
    });
  }
});

describe("what cannot be a name is refused", () => {
  const refused: readonly (readonly [name: string, ids: readonly string[], code: string])[] = [
    ["two ids that are one name", ["Money", "money"], "schema_id_clash"],
    ["two ids that differ in a sign", ["a-b", "a b"], "schema_id_clash"],
    ["an id that is not a name", ["1st", "Other"], "schema_id_invalid"],
    ["an id of signs alone", ["--", "Other"], "schema_id_invalid"],
    ["an id that every language has", ["String", "Other"], "schema_id_reserved"],
    ["an id that is the name of a procedure's type", ["LookInput", "Other"], "schema_id_clash"],
  ];

  test.each(refused.filter((_, at) => inLongTier || at % 8 === 0))("%s", async (_, [one, other], code) => {
    const body =
      'z.object({ one: z.object({ a: z.int().describe("A") }).meta({ id: "ONE", description: "D" }), two: z.object({ b: z.int().describe("B") }).meta({ id: "TWO", description: "D" }) })';
    const output = body.replace("ONE", one ?? "").replace("TWO", other ?? "");
    using project = temporaryProject({ "contracts/shop.contract.ts": contract("shop", { look: ["", output] }) });
    const { ok, errors } = await run(project);
    expect({ ok, codes: errors.map((each) => each.code) }).toEqual({ ok: false, codes: [code] });
    expect(errors[0]?.source).toBe("contracts/shop.contract.ts");
  });

  if (inLongTier) {
    test("one id for two schemas of two contracts", async () => {
      using project = temporaryProject({
        "contracts/shop.contract.ts": contract("shop", { price }),
        "contracts/till.contract.ts": contract("till", { total: price }, money.replace("amount", "sum")),
      });
      const { ok, errors } = await run(project);
      expect({ ok, codes: errors.map(({ code }) => code) }).toEqual({ ok: false, codes: ["schema_id_duplicate"] });
      expect(errors[0]?.message).toContain("shop.price output");
    });
  }
});
