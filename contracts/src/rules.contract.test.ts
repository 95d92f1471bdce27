/** The examples people run by hand are the contract's own, and every one of them decodes. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decoder } from "./core/index.ts";
import rules from "./rules.contract.ts";

const files = {
  resolveAttack: "attack",
  resolveSkillCheck: "skill-check",
  resolveSavingThrow: "saving-throw",
  markImpossible: "impossible",
  markNoCheck: "no-check",
  replay: "replay",
} as const;

const procedures = Object.entries(files).map(([name, file]) => {
  const procedure = rules.procedures[name as keyof typeof files];
  const text = readFileSync(new URL(`../../examples/${file}.json`, import.meta.url), "utf8");
  return { name, procedure, example: JSON.parse(text) as unknown };
});

describe.each(procedures)("$name", ({ procedure, example }) => {
  test("its example file is its first example", () => {
    expect(example).toEqual(procedure.examples?.[0]?.input);
  });

  test("its example decodes", () => {
    expect(decoder(procedure.input)(example)).toMatchObject({ ok: true });
  });
});

test.each(["odds", "classify"] as const)("examples/%s.json decodes", (name) => {
  const text = readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), "utf8");
  expect(decoder(rules.procedures[name].input)(JSON.parse(text))).toMatchObject({ ok: true });
});

test("an unknown field is refused by its path", () => {
  const decode = decoder(rules.procedures.resolveAttack.input);
  const example = structuredClone(procedures[0]?.example) as { game: { player: Record<string, unknown> } };
  example.game.player.strenght = 20;
  expect(decode(example)).toMatchObject({ ok: false, issues: [{ path: "game.player.strenght" }] });
});

test("a minimal character is enough", () => {
  const decode = decoder(rules.procedures.resolveSkillCheck.input);
  const player = { name: "Bo", characterClass: "Fighter", level: 1 };
  expect(decode({ game: { edition: "5.2", player }, intent: { skill: "Athletics", dc: 10 } })).toMatchObject({
    ok: true,
  });
});
