/** A fight over MCP: the specification's tools with their fields at top level, by handle and by value, their errors, and the same fight after a restart. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ActionResult, EncounterLog, EncounterView } from "@fairlead/contracts/rules";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningProject, startProject } from "./kernel.ts";
import { openMcpStateless } from "./mcp.ts";
import { openMemory } from "./memory.ts";
import type { Wire } from "./wire.ts";

const folder = fileURLToPath(new URL("./rules-only", import.meta.url));
const stateDir = mkdtempSync(join(tmpdir(), "fairlead-fight-"));
const open = (): Promise<RunningProject> => startProject({ manifest: undefined, only: ["rules"] }, folder, stateDir);

let project: RunningProject;
let model: Wire;
const connect = async (): Promise<void> => {
  project = await open();
  model = await openMcpStateless(project);
};
const disconnect = async (): Promise<void> => {
  await model.close();
  await project.kernel.close();
};
beforeAll(connect);
afterAll(disconnect);

const aria = {
  name: "Aria",
  characterClass: "Rogue",
  level: 5,
  currentHP: 33,
  maxHP: 33,
  armorClass: 15,
  stats: { dexterity: 18 },
  skillProficiencies: ["Stealth"],
  weaponProficiencies: ["Rapier"],
  features: [{ name: "Sneak Attack" }],
  inventory: ["Rapier"],
};
const orc = { name: "Orc", ac: 13, currentHp: 40, maxHp: 40, attackBonus: 5, damageDice: "1d12", damageBonus: 3 };

const call = async <T>(procedure: string, input: object): Promise<T> => {
  const outcome = await model.call(`rules.${procedure}`, input);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value as T;
};
const refused = async (procedure: string, input: object) => {
  const outcome = await model.call(`rules.${procedure}`, input);
  return outcome.ok ? expect.fail("it was not refused") : outcome.error;
};

it("answers a call by value as the pure procedure does", async () => {
  const memory = openMemory(project.kernel);
  const game = { player: aria, npcs: [orc] };
  const dice = { seed: "same" };
  const cases = [
    ["attack", "resolveAttack", { weapon: "Rapier", target: "Orc", extra_damage_sources: ["Sneak Attack"] }],
    ["skillCheck", "resolveSkillCheck", { skill: "Stealth", dc: 15 }],
    ["abilityCheck", "resolveAbilityCheck", { ability: "strength", dc: 10 }],
    ["savingThrow", "resolveSavingThrow", { ability: "dexterity", dc: 15, source: "Fireball" }],
    ["impossible", "markImpossible", { reason: "no wings" }],
    ["noCheck", "markNoCheck", { reason: "the door is open" }],
  ] as const;
  for (const [action, procedure, intent] of cases) {
    const envelope = "reason" in intent ? {} : { game, dice };
    const pure = await memory.call(`rules.${procedure}`, { ...envelope, intent });
    expect(await model.call(`rules.${action}`, { ...envelope, ...intent })).toEqual(pure);
  }
});

it("says what is missing, by the path of the field", async () => {
  const attack = { weapon: "Rapier", target: "Orc" };
  expect(await refused("attack", attack)).toMatchObject({ reason: "game_or_encounter" });
  expect(
    await refused("attack", { ...attack, game: { player: { name: "Aria", level: 1, class: "Rogue" } } }),
  ).toMatchObject({
    code: "invalid_argument",
    issues: [{ path: "game.player.characterClass" }],
  });
  expect(await refused("attack", { ...attack, encounter: "fight-0" })).toMatchObject({
    code: "not_found",
    reason: "unknown_encounter",
    data: { encounter: "fight-0" },
  });
  expect(await refused("attack", { ...attack, game: { player: aria }, actor: "Bo" })).toMatchObject({
    reason: "unknown_actor",
    data: { known: ["Aria"] },
  });
});

it("keeps a fight: turns, damage, versions, undo, a restart, and a log that proves all of it", async () => {
  const started = await call<EncounterView>("startEncounter", {
    party: [aria],
    foes: [orc, orc],
    dice: { values: [20, 5] },
  });
  const { encounter } = started;
  expect(started).toMatchObject({ version: 1, turn: "aria", round: 1 });
  const hit = await call<ActionResult>("attack", {
    encounter,
    version: 1,
    weapon: "Rapier",
    target: "orc-1",
    extra_damage_sources: ["Sneak Attack"],
    scene: { advantage: ["hidden"] },
    dice: { values: [12, 15, 8, 6, 6, 6] },
  });
  expect(hit).toMatchObject({ success: true, damage: { totalDamage: 30 }, encounter: { version: 2, turn: "aria" } });
  const late = { encounter, version: 1, weapon: "Rapier", target: "orc-1" };
  expect(await refused("attack", late)).toMatchObject({
    code: "aborted",
    reason: "stale_version",
    data: { sent: 1, current: 2 },
  });
  expect(await refused("attack", { ...late, version: 2 })).toMatchObject({ reason: "action_spent" });
  expect(await refused("attack", { ...late, version: 2, actor: "orc-2", target: "Aria" })).toMatchObject({
    reason: "out_of_turn",
    data: { actor: "orc-2", turn: "aria" },
  });
  await call("noCheck", { encounter, reason: "she steps back" });
  expect(await call("endTurn", { encounter })).toMatchObject({ turn: "orc-1", version: 4 });
  await call("attack", { encounter, weapon: "Attack", target: "Aria", dice: { values: [18, 10] } });
  await call("skillCheck", { encounter, actor: "Aria", skill: "Stealth", dc: 10 });
  const undone = await call<EncounterView>("undoAction", { encounter });
  expect(undone).toMatchObject({ version: 7, turn: "orc-1", actions: { attacks: 0 } });
  expect(undone.creatures.map(({ id, hp }) => [id, hp])).toEqual([
    ["aria", 20],
    ["orc-1", 10],
    ["orc-2", 40],
  ]);

  await disconnect();
  await connect();
  expect(await call("encounterState", { encounter })).toEqual({ ...undone, events: [] });
  const log = await openMemory(project.kernel).call("rules.encounterLog", { encounter });
  expect(log).toMatchObject({ ok: true, value: { proved: true } satisfies Partial<EncounterLog> });
  expect(await call("endEncounter", { encounter })).toMatchObject({ over: true });
  expect(await refused("endTurn", { encounter })).toMatchObject({ reason: "encounter_over" });
});
