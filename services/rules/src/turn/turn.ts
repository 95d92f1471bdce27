/** `POST /api/roll` and `POST /api/chat`: a player's turn in the words of the specification's client. Not here: choosing and resolving (`classify/`). */
import type rules from "@fairlead/contracts/rules";
import {
  type Game,
  type GameState,
  type PlayerChat,
  type PlayerChatInput,
  type PlayerRoll,
  type PlayerRollInput,
  type RulesOutcome,
  result,
} from "@fairlead/contracts/rules";
import type { Call } from "@fairlead/kernel/service";
import { type ChooseForCall, requireProof } from "../classify/classify.ts";
import { resolveChoice } from "../classify/outcome.ts";
import type { ClassifierSettings } from "../classify/settings.ts";
import { createDice } from "../dice/input.ts";

type RollCall = Call<(typeof rules)["procedures"]["playerRoll"]>;
type ChatCall = Call<(typeof rules)["procedures"]["playerChat"]>;

/** The game that a client's state stands for. */
const toGame = ({ player, edition, scene, rulings, story: { activeNPCs } }: GameState): Game => ({
  player,
  edition,
  scene,
  rulings,
  npcs: activeNPCs,
});

export const createTurns = (choose: ChooseForCall, { dollarsPerMillion: price }: ClassifierSettings) => {
  const playerRoll = async (
    { playerInput, gameState, dice }: PlayerRollInput,
    call: Pick<RollCall, "fail" | "signal" | "deadline">,
  ): Promise<PlayerRoll> => {
    const game = toGame(required(gameState, call));
    const choice = await choose(game, playerInput, call);
    const outcome = resolveChoice(game, choice, { dice: createDice(dice), unknownNames: "impossible" });
    const { parsed, raw, roll, inputTokens: input, outputTokens: output, question, classifier } = outcome;
    const rulesCost = (input * price.input + output * price.output) / 1_000_000;
    return {
      isContested: isContested(question),
      roll,
      parsed,
      raw,
      rulesCost,
      tokensUsed: { input, output },
      question,
      classifier,
    };
  };

  const playerChat = async (input: PlayerChatInput, call: ChatCall): Promise<PlayerChat> => {
    const { precomputedRules } = input;
    if (precomputedRules === undefined) {
      const { classifier: _, ...outcome } = await playerRoll(input, call);
      return { ...outcome, proof: "computed" };
    }
    const { question, parsed, raw, roll } = precomputedRules;
    const sent = {
      roll,
      raw,
      rulesCost: 0,
      tokensUsed: { input: 0, output: 0 },
      ...(parsed !== undefined && { parsed }),
    };
    if (question === undefined) return { ...sent, isContested: roll > 0, proof: "unproved" };
    const outcome = result.safeParse(parsed);
    if (!outcome.success) {
      const differences = [...new Set(outcome.error.issues.map(({ path }) => ["parsed", ...path].join(".")))].slice(
        0,
        20,
      );
      const message = `the precomputed outcome is not a result of these rules: ${differences.slice(0, 3).join(", ")}`;
      throw call.fail("not_proved", { message }, { differences });
    }
    requireProof(toGame(required(input.gameState, call)), { question, parsed: outcome.data }, call);
    const { raw: text, dieResult } = outcome.data;
    return { ...sent, raw: text, roll: dieResult, isContested: isContested(question), question, proof: "proved" };
  };

  return { playerRoll, playerChat };
};

const isContested = ({ procedure }: RulesOutcome["question"]): boolean => procedure !== "markNoCheck";

const required = (state: GameState | undefined, call: Pick<RollCall, "fail">): GameState => {
  if (state === undefined) {
    throw call.fail("no_game_state", { message: "`gameState` is missing, and no characters are kept here to look up" });
  }
  return state;
};
