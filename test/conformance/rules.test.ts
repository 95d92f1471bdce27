/**
 * Same seed, same result, over every way in: what the rules answer is a pure function of (game, intent, dice), so every wire gives
 * the bytes that the memory transport gives. For the examples of all procedures, and for games and seeds at random.
 */
import { fileURLToPath } from "node:url";
import rules from "@fairlead/contracts/rules";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openClient } from "./client.ts";
import { openHttp } from "./http.ts";
import { type RunningProject, startProject } from "./kernel.ts";
import { openMcpSession, openMcpStateless, openStdioSession, openStdioStateless } from "./mcp.ts";
import { openMemory } from "./memory.ts";
import { stdioOf } from "./stdio.ts";
import { openTrpc, openTrpcBatch } from "./trpc.ts";
import type { Wire } from "./wire.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const folder = fileURLToPath(new URL("./rules-only", import.meta.url));
const stdio = stdioOf(folder);

let project: RunningProject;
beforeAll(async () => {
  project = await startProject({ manifest: undefined, only: ["rules"] }, folder);
});
afterAll(() => project.kernel.close());

/** The others differ from one of these in one stage only; the quick tier of `suite.test.ts` has them. */
const sampled = new Set(["HTTP", "tRPC, batched", "MCP 2026-07-28 over HTTP", "MCP 2025-11-25 over stdio"]);

const wires: readonly { readonly name: string; readonly tools: boolean; readonly open: () => Promise<Wire> }[] = [
  { name: "HTTP", tools: false, open: () => openHttp(project) },
  { name: "TypeScript client", tools: false, open: () => openClient(project) },
  { name: "tRPC", tools: false, open: () => openTrpc(project) },
  { name: "tRPC, batched", tools: false, open: () => openTrpcBatch(project) },
  { name: "MCP 2025-11-25 over HTTP", tools: true, open: () => openMcpSession(project) },
  { name: "MCP 2026-07-28 over HTTP", tools: true, open: () => openMcpStateless(project) },
  { name: "MCP 2025-11-25 over stdio", tools: true, open: () => openStdioSession(stdio) },
  { name: "MCP 2026-07-28 over stdio", tools: true, open: () => openStdioStateless(stdio) },
];

interface Asked {
  readonly procedure: string;
  readonly input: unknown;
}

interface Offered {
  readonly tool?: unknown;
  readonly examples?: readonly { readonly input: unknown }[];
}

const all = Object.entries<Offered>(rules.procedures);
const isTool = (procedure: string): boolean =>
  all.some(([name, { tool }]) => `rules.${name}` === procedure && tool !== false);

/** A new fight has a new handle. */
const isPure = (name: string): boolean => name !== "startEncounter";

const examples: readonly Asked[] = all.flatMap(([name, { examples: given = [] }]) =>
  (isPure(name) ? given : []).map(({ input }) => ({ procedure: `rules.${name}`, input })),
);

const seed = fc.oneof(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), fc.integer());
const dice = fc.record({ seed, label: fc.constantFrom("first", "second ray") }, { requiredKeys: ["seed"] });
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const game = fc.record({
  edition: fc.constantFrom("5.1", "5.2"),
  player: fc.record({
    name: text,
    characterClass: fc.constantFrom("Rogue", "Paladin"),
    level: fc.integer({ min: 1, max: 20 }),
    stats: fc.record({ strength: fc.integer({ min: 1, max: 30 }), dexterity: fc.integer({ min: 1, max: 30 }) }),
    features: fc.constant([{ name: "Sneak Attack" }, { name: "Divine Smite" }, { name: "Cunning Strike" }]),
    weaponMasteries: fc.constant(["Rapier", "Maul"]),
    inventory: fc.constant(["Rapier", "Maul", "Shortbow +1"]),
    effects: fc.constantFrom([], [{ name: "Bless" }], [{ name: "Bane" }]),
  }),
  npcs: fc.constant([{ name: "Goblin", ac: 13, currentHp: 30, maxHp: 30, engaged: true, resistances: ["piercing"] }]),
});
const dc = fc.integer({ min: 1, max: 30 });
const intents = {
  attack: fc.record({
    weapon: fc.constantFrom("rapier", "Maul", "Short"),
    target: fc.constant("gob"),
    extra_damage_sources: fc.subarray(["Sneak Attack", "Divine Smite", "Trip"]),
  }),
  skillCheck: fc.record({ skill: fc.constantFrom("Stealth", "Athletics"), dc }),
  savingThrow: fc.record({ ability: fc.constantFrom("dexterity", "wisdom"), dc, source: text }),
};
const asked: fc.Arbitrary<Asked> = fc.oneof(
  ...Object.entries(intents).map(([name, intent]) =>
    fc
      .record<{ game: unknown; intent: object; dice: unknown }>({ game, intent, dice })
      .map(({ intent: fields, ...input }) => ({ procedure: `rules.${name}`, input: { ...input, ...fields } })),
  ),
  fc.record({ notation: fc.constantFrom("2d6+3", "4d6kh3", "10d10"), dice }).map((input) => ({
    procedure: "rules.roll",
    input,
  })),
);

describe.each(wires.filter(({ name }) => inLongTier || sampled.has(name)))("over $name", ({ tools, open }) => {
  let wire: Wire;
  let memory: Wire;
  beforeAll(async () => {
    wire = await open();
    memory = openMemory(project.kernel);
  });
  afterAll(() => wire?.close());

  const same = async ({ procedure, input }: Asked): Promise<void> => {
    const [there, here] = [await wire.call(procedure, input), await memory.call(procedure, input)];
    expect(here).toMatchObject({ ok: true });
    expect(JSON.stringify(there)).toBe(JSON.stringify(here));
  };

  it.each(examples.filter(({ procedure }) => !tools || isTool(procedure)))("$procedure", same);

  it("games and seeds at random", () => fc.assert(fc.asyncProperty(asked, same), { numRuns: inLongTier ? 60 : 12 }));
});
