/** The addresses of the MCP transport: what each lists, what it finds for calls, and what is refused. */
import { expect, test } from "vitest";
import { fakeKernel, fakeProcedures } from "../../testing/mcp-fake.ts";
import type { Surroundings } from "../transport.ts";
import type { AddressProblem } from "./address.ts";
import { inClientWords } from "./answer/client-words.ts";
import { type Endpoint, makeEndpoints } from "./endpoint.ts";

/** The endpoint at an address like `/demo?read-only=1`, or why there is none. */
const endpoints = async (surroundings: Surroundings) => {
  const { at } = await makeEndpoints(surroundings);
  return async (address: string): Promise<Endpoint | AddressProblem> => {
    const [path = "", query = ""] = address.split("?");
    return at({ path, query });
  };
};

const found = (endpoint: Endpoint | AddressProblem): Endpoint =>
  "status" in endpoint ? expect.fail(endpoint.message) : endpoint;

const everybody = { id: "local", access: ["read"] as const };

test("a principal sees the tools of its services only", async () => {
  const at = await endpoints(fakeKernel().surroundings);
  expect(found(await at("")).tools({ ...everybody, services: ["other"] })).toMatchObject([{ name: "ping" }]);
  expect(found(await at("/demo")).tools({ ...everybody, services: ["other"] })).toEqual([]);
});

test("the list is the same object until the set of tools changes", async () => {
  const kernel = fakeKernel();
  const at = await endpoints(kernel.surroundings);
  const endpoint = found(await at("/"));
  const list = () => endpoint.tools(everybody);
  const before = list();
  expect(list()).toBe(before);
  kernel.switch("demo.add", false);
  expect(list()).not.toBe(before);
  expect(list()).toHaveLength(before.length - 1);
  expect(found(await at("")).find("add")).toBeDefined();
});

test("a message may be as large as the largest of its procedures, and its envelope", async () => {
  const large = {
    ...fakeProcedures,
    "other.big": { run: () => ({ ok: true, value: {} }) as const, limits: { bytes: 8_388_608 } },
  };
  const at = await endpoints(fakeKernel(large).surroundings);
  expect(found(await at("")).limits().bytes).toBe(8_388_608 + 16_384);
  expect(found(await at("/demo")).limits()).toMatchObject({ bytes: 1_048_576 + 16_384, depth: 128 });
});

const run = () => ({ ok: true, value: {} }) as const;
const chosen = fakeKernel({
  "demo.look": { run, tool: { annotations: { readOnlyHint: true } } },
  "demo.change": { run, tool: { annotations: { readOnlyHint: false } } },
  "demo.rare": { run, listed: "full" },
  "demo.first": { run, listed: "core" },
  "other.ping": { run, tool: { annotations: { readOnlyHint: true } } },
  "third.pong": { run },
});
const relayed = (name: string, source: string) => ({
  procedure: `other.${name}`,
  wrapped: false,
  passed: true as const,
  tool: { name, inputSchema: { type: "object" }, _meta: { "fairlead/source": source } },
});
const through = [relayed("up__a", "up"), relayed("down__b", "down")];
const surroundings: Surroundings = {
  ...chosen.surroundings,
  catalog: {
    ...chosen.surroundings.catalog,
    relayed: () => through,
    tool: (name) => through.find(({ tool }) => tool.name === name),
  },
  profiles: { looking: { services: ["demo", "other"], readOnly: true }, few: { tools: ["look", "ping"] } },
};

const listed = async (address: string): Promise<readonly string[]> =>
  found(await (await endpoints(surroundings))(address))
    .tools(everybody)
    .map(({ name }) => name);

test.each([
  ["", ["look", "change", "first", "ping", "pong", "up__a", "down__b"]],
  ["?services=other,third", ["ping", "pong", "up__a", "down__b"]],
  ["?services=third", ["pong"]],
  ["?profile=full", ["look", "change", "rare", "first", "ping", "pong", "up__a", "down__b"]],
  ["/demo?profile=full", ["look", "change", "rare", "first"]],
  ["?read-only=1", ["look", "ping"]],
  ["/demo?read-only=true", ["look"]],
  ["?read-only=0&services=third", ["pong"]],
  ["?profile=looking", ["look", "ping"]],
  ["?profile=looking&services=demo", ["look"]],
  ["?profile=few", ["look", "ping"]],
  ["/other/up", ["up__a"]],
] as const)("/mcp%s lists what was chosen", async (address, names) => {
  expect(await listed(address)).toEqual(names);
});

test("a tool that is not listed is found, and one that was not chosen is not", async () => {
  const at = await endpoints(surroundings);
  expect(found(await at("")).find("rare")).toBeDefined();
  expect(found(await at("?read-only=1")).find("change")).toBeUndefined();
  expect(found(await at("?profile=few")).find("pong")).toBeUndefined();
  expect(found(await at("/other/up")).find("down__b")).toBeUndefined();
});

test("one service introduces itself, several do not, and one choice is one endpoint", async () => {
  const at = await endpoints(surroundings);
  expect(found(await at("?services=demo")).service).toBe("demo");
  expect(found(await at("?services=other,demo")).service).toBeUndefined();
  expect(found(await at("?services=demo")).key).toBe(found(await at("/demo")).key);
  expect(found(await at("?services=other,demo"))).toBe(found(await at("?services=demo,other&read-only=0")));
});

test("hosts that search load core tools at once", async () => {
  const tools = found(await (await endpoints(surroundings))("/demo")).tools(everybody);
  expect(tools.filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true).map(({ name }) => name)).toEqual([
    "first",
  ]);
});

test.each([
  ["?readonly=1", 400, "did you mean read-only?"],
  ["?read-only=yes", 400, "1 or 0"],
  ["?services=demo&services=other", 400, "each once"],
  ["?services=dmo", 404, "did you mean demo?"],
  ["?services=", 404, "there are demo"],
  ["?profile=nothing", 404, "there are full, looking, few"],
  ["?profile=toString", 404, "no such profile"],
  ["/third?profile=looking", 404, "leaves out third"],
  ["/nowhere", 404, "/mcp/demo"],
  ["/other/up/more", 404, "No MCP endpoint"],
  ["/demo/", 404, "No MCP endpoint"],
] as const)("/mcp%s is refused with %i", async (address, status, message) => {
  const problem = await (await endpoints(surroundings))(address);
  expect(problem).toMatchObject({ status, message: expect.stringContaining(message) });
});

test("choices beyond those that are kept are made again, with the same key", async () => {
  const many = fakeKernel(Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`s${n}.run${n}`, { run }])));
  const at = await endpoints(many.surroundings);
  const first = found(await at("?services=s0,s1"));
  for (let choice = 0; choice < 600; choice += 1) {
    const services = Array.from({ length: 10 }, (_, n) => n).filter((n) => ((choice + 1) & (1 << n)) !== 0);
    await at(`?services=${services.map((n) => `s${n}`).join(",")}`);
  }
  expect(found(await at("?services=s0,s1"))).not.toBe(first);
  expect(found(await at("?services=s0,s1")).key).toBe(first.key);
});

const named = { ...fakeProcedures, "demo.getText": { run: () => ({ ok: true, value: {} }) as const } };

test("an address introduces its services in the names of tools, and only those that the principal sees", async () => {
  const at = await endpoints(fakeKernel(named).surroundings);
  const all = found(await at(""));
  const demo = "Call `add`, then `get_text`; `absent` is not a procedure.";
  expect(all.instructions(everybody)).toBe(`demo: Tests by demo. ${demo}\nother: Tests by other.`);
  expect(found(await at("/demo")).instructions(everybody)).toBe(demo);
  expect(all.instructions({ ...everybody, services: ["other"] })).toBe("Tests by other.");
  expect(all.instructions({ ...everybody, services: [] })).toBeUndefined();
});

test("an error names the tools of an address, and no command", async () => {
  const at = await endpoints(fakeKernel(named).surroundings);
  const { words } = found(await at("/demo"));
  expect(inClientWords("demo.getText failed; see `fairlead describe demo.getText`, not other.ping or 1.5", words)).toBe(
    "get_text failed; see the input schema of the tool, not other.ping or 1.5",
  );
});
