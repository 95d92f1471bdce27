/** For tests only: a game, a kernel whose model is the stand-in, and calls of `rules.classify`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallerInput } from "@fairlead/contracts";
import type rules from "@fairlead/contracts/rules";
import type { RulesOutcome } from "@fairlead/contracts/rules";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { onTestFinished } from "vitest";
import service from "../service.ts";
import { type FakeMessagesApi, fakeApiKey, startFakeMessagesApi } from "./messages-api.ts";
import { call, type ScriptedReply } from "./messages-api-script.ts";

type Input = CallerInput<(typeof rules)["procedures"]["classify"]>;

export const soon = { "retry-after-ms": "1" };

export const game: Input["game"] = {
  edition: "5.1",
  player: {
    name: "Aria",
    characterClass: "Rogue",
    level: 5,
    stats: { dexterity: 18 },
    skillProficiencies: ["Stealth"],
    weaponProficiencies: ["Rapier"],
    features: [{ name: "Sneak Attack" }],
    inventory: ["Rapier", "Rope"],
    cantrips: ["Fire Bolt"],
    spellcastingAbility: "intelligence",
  },
  npcs: [{ id: "goblin-1", name: "Goblin", ac: 15, currentHp: 7, maxHp: 7, engaged: true }],
};
export const playerInput = "I stab the goblin.";
export const stab = { weapon: "Rapier", target: "Goblin", extra_damage_sources: ["Sneak Attack"] };
export const stabs = call("resolve_attack", stab);
export const dice = { seed: "classifier" };

export const kernelFor = (env: Record<string, string>, config: object = {}) => {
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-classify-"));
  const kernel = openMemoryKernel([service], { env, stateDir, config: { rules: { classifier: config } } });
  onTestFinished(async () => {
    await kernel.close();
    rmSync(stateDir, { recursive: true, force: true });
  });
  return kernel;
};

/** A kernel whose model answers by the script. */
export const openClassifier = async (answers: readonly ScriptedReply[], config: object = {}) => {
  const model = await startFakeMessagesApi([{ when: "", answers }]);
  onTestFinished(() => model[Symbol.asyncDispose]());
  const kernel = kernelFor({ ANTHROPIC_API_KEY: fakeApiKey, ANTHROPIC_BASE_URL: model.url }, config);
  return { model, kernel };
};

const ask = async (answers: readonly ScriptedReply[], input: Partial<Input> = {}) => {
  const { model, kernel } = await openClassifier(answers);
  const reply = await kernel.call("rules.classify", { game, playerInput, dice, ...input });
  return { model, kernel, reply };
};

export const outcome = async (
  answers: readonly ScriptedReply[],
  input: Partial<Input> = {},
): Promise<RulesOutcome & { model: FakeMessagesApi }> => {
  const { reply, model } = await ask(answers, input);
  if (!reply.ok) throw new Error(JSON.stringify(reply.error));
  return { ...(reply.value as RulesOutcome), model };
};

export const classifyError = async (answers: readonly ScriptedReply[], input: Partial<Input> = {}) => {
  const { reply, model } = await ask(answers, input);
  if (reply.ok) throw new Error("an error was expected");
  return { ...reply.error, model };
};
