/**
 * The procedures: pure functions with an edge. A seed when the caller gives no dice, and refusals turned into declared errors.
 */
import type rules from "@fairlead/contracts/rules";
import type { Handlers } from "@fairlead/kernel/service";
import type { ClassifierDependencies } from "./classify/choose.ts";
import { createChoosing, createClassifier } from "./classify/classify.ts";
import { createDice, freshSeed, requestedDice } from "./dice/input.ts";
import { createActionHandlers, type EncounterKeeping } from "./encounter/handlers.ts";
import { computeCombinedOdds } from "./odds/answer.ts";
import { computeDiceOdds } from "./odds/dice.ts";
import { computeOdds } from "./odds/odds.ts";
import { listFigures } from "./resolve/figures.ts";
import { groupCheck, passiveScore } from "./resolve/hazards.ts";
import { replay } from "./resolve/replay.ts";
import { type ResolverInput, type RollingProcedure, resolvers } from "./resolve/resolvers.ts";
import { type DeclaringCall, settled, withDeclaredErrors } from "./result/declared-error.ts";
import { markImpossible, markNoCheck } from "./result/mark.ts";
import { createTurns } from "./turn/turn.ts";
import { withUnread } from "./unread/with-unread.ts";

/** Loaded when somebody looks for a monster: their rows are long. */
const monsterList = () => import("./creatures/monster-list.ts");

/** A procedure that rolls: its row of `resolvers`, with the caller's dice or a fresh seed. */
const rollingHandler =
  <N extends RollingProcedure>(procedure: N) =>
  (sent: ResolverInput<N>, call: DeclaringCall) =>
    withDeclaredErrors(call, () => resolvers[procedure](sent, createDice(requestedDice(sent))));

export const createHandlers = (parts: ClassifierDependencies & EncounterKeeping): Handlers<typeof rules> => {
  const choose = createChoosing(parts);
  const classify = createClassifier(choose);
  const { playerRoll, playerChat } = createTurns(choose, parts.settings);
  return {
    ...createActionHandlers(parts),
    resolveAttack: rollingHandler("resolveAttack"),
    resolveSkillCheck: rollingHandler("resolveSkillCheck"),
    resolveAbilityCheck: rollingHandler("resolveAbilityCheck"),
    resolveSavingThrow: rollingHandler("resolveSavingThrow"),
    rollInitiative: rollingHandler("rollInitiative"),
    resolveContest: rollingHandler("resolveContest"),
    resolveGrapple: rollingHandler("resolveGrapple"),
    resolveConcentration: rollingHandler("resolveConcentration"),
    takeDamage: rollingHandler("takeDamage"),
    deathSave: rollingHandler("deathSave"),
    fallDamage: rollingHandler("fallDamage"),
    roll: rollingHandler("roll"),
    markImpossible: ({ intent }) => markImpossible(intent.reason),
    markNoCheck: ({ intent }) => markNoCheck(intent.reason),
    classify: (input, call) => settled(call, classify(input, call)),
    playerRoll: (input, call) => settled(call, playerRoll(input, call)),
    playerChat: (input, call) => settled(call, playerChat(input, call)),
    odds: ({ game, question }, call) =>
      withDeclaredErrors(call, () =>
        withUnread(computeOdds(game, question), game, question.kind === "attack" ? question.intent : undefined),
      ),
    combinedOdds: ({ game, question }, call) =>
      withDeclaredErrors(call, () => withUnread(computeCombinedOdds(game, question), game)),
    diceOdds: ({ notation }, call) => withDeclaredErrors(call, () => computeDiceOdds(notation)),
    replay: ({ question, result }, call) => withDeclaredErrors(call, () => replay(question, result)),
    figures: ({ game }) => withUnread({ figures: [...listFigures(game)] }, game),
    passiveScore: ({ game, intent }) => withUnread(passiveScore(game, intent.skill), game),
    groupCheck: (input) => groupCheck(input),
    reference: async (input) => ({ markdown: (await import("./creatures/reference.ts")).referenceTable(input) }),
    monsters: async (input) => (await monsterList()).searchMonsters(input),
    simulateEncounter: async ({ seed = freshSeed(), ...input }, call) => {
      const [{ simulateEncounter }, { findMonster }] = await Promise.all([
        import("./simulate/simulate.ts"),
        import("./creatures/monster.ts"),
      ]);
      return settled(call, simulateEncounter(input, { findMonster, signal: call.signal, seed }));
    },
    creatures: async ({ of, edition }, call) => {
      const { creatureByValue } = await monsterList();
      return withDeclaredErrors(call, () => ({ creatures: of.map((one) => creatureByValue(one, edition)) }));
    },
  };
};
