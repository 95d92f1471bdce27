/** What Python cannot say as JSON does: keywords, names of types, objects inside expressions, intersections, errors that share a reason. */
import { type Contract, defineContract, error, genConfigSchema, mutation, query } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { buildServiceModel } from "../model/model.ts";
import { outFolders, resolveImports } from "../model/project.ts";
import { nameTypes } from "../names/name-types.ts";
import { emitAll } from "./all.ts";

const folder = import.meta.dirname;
const imports = resolveImports(outFolders(folder, genConfigSchema.parse({})));
const out = { schemas: "gen", kernel: "gen", client: "gen", python: "gen/clients" };

const emit = async (...contracts: readonly Contract[]): Promise<ReadonlyMap<string, string>> => {
  const { services } = nameTypes(
    contracts.map((each) => buildServiceModel(each, "x.contract.ts")),
    new Map(),
  );
  const files = await emitAll({ services, modules: [], out, imports });
  return new Map(files.map(({ path, text }) => [path.replace("gen/clients/", ""), text]));
};

const text = z.string().describe("Any");
type Procedures = Contract["procedures"];
const shop = (procedures: Procedures, id = "shop"): Contract =>
  defineContract({ id, version: "1.0.0", summary: "Sells.", procedures });
const module = async (procedures: Procedures): Promise<string> => (await emit(shop(procedures))).get("shop.py") ?? "";
const look = (input: z.ZodType, output: z.ZodType = z.int()) => query({ summary: "Looks.", input, output });

test("keywords get an underscore behind as methods and arguments, and travel as they are", async () => {
  const source = await module({ import: look(z.object({ from: text, self: text, class: text.optional() })) });
  expect(source).toContain(
    "def import_(self, *, from_: str, self_: str, class_: str | fairlead.Unset = fairlead.UNSET) -> ImportOutput:",
  );
  expect(source).toContain('self._call(_IMPORT, {"from": from_, "self": self_, "class": class_})');
});

test("a class whose fields no class body can have is written as a call", async () => {
  const source = await module({
    look: look(z.object({ a: text }), z.object({ in: text, "two words": text.optional() })),
  });
  expect(source).toContain('LookOutput = TypedDict(\n    "LookOutput",\n    {\n        # Any\n        "in": str,');
  expect(source).toContain('        "two words": NotRequired[str],\n    },\n)');
});

test.each(["list", "str", "Sequence", "__hidden"])(
  "a field called %s hides no type from those below it",
  async (name) => {
    const source = await module({
      look: look(z.object({ a: text }), z.object({ [name]: text, b: z.array(text).describe("B") })),
    });
    expect(source).toContain("LookOutput = TypedDict(");
  },
);

test("an input with a field that no argument can be called by is one argument", async () => {
  const source = await module({
    look: look(z.object({ "two words": text })),
    find: look(z.object({ if: text, if_: text })),
  });
  expect(source).toContain("def look(self, content: LookInput, /) -> LookOutput:");
  expect(source).toContain("def find(self, content: FindInput, /) -> FindOutput:");
});

test("a method that would hide a type, or a member of all services, gets an underscore behind", async () => {
  const source = await module({ str: look(z.object({})), withOptions: look(z.object({})), list: look(z.object({})) });
  expect(source).toMatch(/def str_\(self\)[\s\S]*def with_options_\(self\)[\s\S]*def list\(self\)/);
});

test("two procedures whose names come to one keep their own", async () => {
  const source = await module({ fooAB: look(z.object({})), fooAb: look(z.object({})) });
  expect(source).toMatch(/def fooAB\(self\)[\s\S]*def fooAb\(self\)[\s\S]*\n_fooAB: [\s\S]*\n_fooAb: /);
});

test("the parts of an intersection are one class, and a field of both keeps one type", async () => {
  const both = z.intersection(z.object({ a: text, b: text }), z.object({ b: text, c: z.int().describe("C") }));
  const source = await module({ look: look(z.object({ x: text }), both) });
  expect(source).toMatch(/class LookOutput\(TypedDict\):\n {4}a: str\n[^\n]+\n {4}b: str\n(?:[^\n]+\n)?? {4}c: int/);
});

test("branches of a union are named by their tag, and never like another type", async () => {
  const union = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("sold").describe("K"), at: text }),
    z.object({ kind: z.literal("kept").describe("K") }),
  ]);
  const named = z.object({ a: text }).meta({ id: "LookOutputSold" });
  const source = await module({ look: look(z.object({ x: named.describe("X") }), union) });
  expect(source).toContain('LookOutput: TypeAlias = "LookOutputSoldValue | LookOutputKept"');
});

test("a reason that procedures declare alike is one class, and one that they do not is a group", async () => {
  const gone = error({ code: "not_found", when: "it is gone", data: z.object({ name: text }) });
  const broke = error({ code: "failed_precondition", when: "there is no money" });
  const late = error({ code: "unavailable", when: "the till is closed" });
  const declaring = (errors: NonNullable<Procedures[string]["errors"]>) =>
    mutation({ summary: "Buys.", retry: "unsafe", input: z.object({}), output: z.int(), errors });
  const source = await module({
    buy: declaring({ gone, no_sale: broke }),
    order: declaring({ gone, no_sale: late }),
  });
  expect(source).toContain("class GoneError(fairlead.NotFoundError):");
  expect(source).toContain('return cast("GoneErrorData", self.wire.data)');
  expect(source).toContain("class BuyNoSaleError(fairlead.FailedPreconditionError):");
  expect(source).toContain("class OrderNoSaleError(fairlead.UnavailableError):");
  expect(source).toContain("NoSaleError = (BuyNoSaleError, OrderNoSaleError)");
  expect(source).toContain('{"gone": GoneError, "no_sale": OrderNoSaleError}');
});

test("types that several services have are in one module, with the objects inside of them", async () => {
  const money = z.object({ parts: z.object({ cents: z.int().describe("C") }).describe("P") }).meta({ id: "Money" });
  const pay = (): Procedures => ({ pay: look(z.object({ sum: money.describe("S") }), money) });
  const files = await emit(shop(pay()), shop(pay(), "bank"));
  expect(files.get("shared_types.py")).toContain("class MoneyParts(TypedDict):");
  expect(files.get("bank.py")).toContain("from .shared_types import Money as Money");
  expect(files.get("bank.py")).not.toContain("class Money");
});

test("words that end in a quote or hold three of them stay inside their doc string", async () => {
  const words = 'Say """no\\n""" or "yes"';
  const source = await module({ look: query({ summary: words, input: z.object({}), output: z.int() }) });
  expect(source).toContain('"""Say \\"\\"\\"no\\\\n\\"\\"\\" or "yes\\""""');
});

test("a field that will go says so in its words, once", async () => {
  const input = z.object({
    old: z.string().describe("An old name").meta({ deprecated: true }),
    older: z.string().describe("Deprecated since 1.1.0: use `name`.").meta({ deprecated: true }),
  });
  const source = await module({ look: look(input) });
  expect(source).toContain("An old name\n\n    Deprecated.");
  expect(source).toContain("Deprecated since 1.1.0: use `name`.");
  expect(source).not.toContain("use `name`.\n\n    Deprecated.");
});

test("no Python without a package for it", async () => {
  const { python: _, ...without } = out;
  const { services } = nameTypes([buildServiceModel(shop({ look: look(z.object({})) }), "x.contract.ts")], new Map());
  const files = await emitAll({ services, modules: [], out: without, imports });
  expect(files.filter(({ path }) => path.endsWith(".py"))).toEqual([]);
});
