/** A fight for tests, in which each call is made in turn with its dice. */
import { type AttackActionInput, game, type StartEncounterInput } from "@fairlead/contracts/rules";
import { findMonster } from "../creatures/monster.ts";
import type { EncounterCall } from "../encounter/log.ts";
import { advance, begin, newestState } from "../encounter/log.ts";
import { noScene } from "../encounter/scene.ts";
import { viewEncounter } from "../encounter/state.ts";

type Edition = StartEncounterInput["edition"];

const caster = (fields: Record<string, unknown>) =>
  game.parse({
    player: {
      name: "Mia",
      characterClass: "Wizard",
      level: 9,
      currentHP: 40,
      maxHP: 40,
      stats: { intelligence: 16, constitution: 10 },
      ...fields,
    },
  });
const { rulings } = caster({});

/** Those of the party act first, in their order; then the foes, in theirs. */
export const fight = (
  edition: Edition,
  party: readonly Record<string, unknown>[],
  foes: StartEncounterInput["foes"],
) => {
  const sheets = party.map((fields) => caster(fields).player);
  const order = [...party.map((_, index) => 20 - index), ...foes.map((_, index) => 5 - index)];
  let { history } = begin(
    "fight-1",
    { type: "start", seed: "durations", input: { edition, party: sheets, foes, rulings }, dice: { values: order } },
    findMonster,
  );
  const call = (made: Exclude<EncounterCall, { readonly type: "start" }>) => {
    const { history: after, answer } = advance(history, made);
    history = after;
    return answer;
  };
  return {
    strike: (
      weapon: string,
      target: string,
      { values, actor, attack }: { values?: number[]; actor?: string; attack?: "reaction" } = {},
    ) =>
      call({
        type: "act",
        action: {
          procedure: "attack",
          intent: { weapon, target } satisfies Pick<AttackActionInput, "weapon" | "target">,
          scene: { ...noScene, ...(attack !== undefined && { attack }) },
          ...(actor !== undefined && { actor }),
        },
        ...(values !== undefined && { dice: { values } }),
      }),
    endTurn: (...values: number[]) =>
      call({ type: "end_turn", ...(values.length > 0 && { dice: { values } }) }) as { events: string[]; turn: string },
    decline: () => call({ type: "act", action: { procedure: "noCheck", reason: "nobody reacts" } }),
    undo: () => call({ type: "undo" }),
    end: () => call({ type: "end" }),
    conditions: (id: string) => newestState(history).creatures.find((one) => one.id === id)?.sheet.conditions,
    state: () => newestState(history),
    /** The creature as callers see it. */
    view: (id: string) =>
      viewEncounter("fight-1", history.version, newestState(history)).creatures.find((one) => one.id === id),
    actions: () => viewEncounter("fight-1", history.version, newestState(history)).actions,
  };
};
