/** What a chosen call leads to, and the proof of an outcome that was made before. Pure. */
import type { ClassifiedCall, Game, RollResult, RulesOutcome } from "@fairlead/contracts/rules";
import { type Classification, rejectReply } from "../classification/classification.ts";
import type { Dice } from "../dice/source.ts";
import { resolveQuestion } from "../resolve/question.ts";
import { compareResults, recordedDice } from "../resolve/replay.ts";
import { isRefusal } from "../result/refusal.ts";
import type { Choice } from "./choose.ts";

/** What is made of a name that the rules do not know: `reject` says that the model was wrong, `impossible` answers that it cannot be done. */
type UnknownNames = "reject" | "impossible";

/** Resolves the chosen call. Several matches and missing dice are the caller's: those refusals are thrown. */
export const resolveChoice = (
  game: Game,
  { read, tokens, by }: Choice,
  { dice, unknownNames }: { readonly dice: Dice; readonly unknownNames: UnknownNames },
): RulesOutcome => {
  const { parsed, read: used } = resolveRead(game, read, dice, unknownNames);
  return {
    parsed,
    raw: parsed.raw,
    roll: parsed.dieResult,
    ...tokens,
    question: used.question,
    classifier: {
      ...by,
      ...(used.dc !== undefined && { dc: used.dc }),
      ...(used.rejected !== undefined && { rejected: used.rejected }),
    },
  };
};

const resolveRead = (
  game: Game,
  read: Classification,
  dice: Dice,
  unknownNames: UnknownNames,
): { readonly parsed: RollResult; readonly read: Classification } => {
  try {
    return { parsed: resolveQuestion(game, read.question, dice), read };
  } catch (thrown) {
    if (!isRefusal(thrown) || !thrown.reason.startsWith("unknown_")) throw thrown;
    const instead = unknownNames === "impossible" ? markedImpossible(thrown.message) : misnamed;
    return { parsed: resolveQuestion(game, instead.question, dice), read: instead };
  }
};

const longestReason = 500;

const markedImpossible = (message: string): Classification => ({
  question: { procedure: "markImpossible", intent: { reason: message.slice(0, longestReason) } },
});

const misnamed = rejectReply("bad_input", "the model's call names what the character does not have");

/** Resolves the question again with the outcome's own dice. Paths of the fields that do not follow; none when it is proved. */
export const findUnproved = (game: Game, question: ClassifiedCall, parsed: RollResult): readonly string[] => {
  const dice = recordedDice(parsed);
  const verdict = compareResults(parsed, resolveQuestion(game, question, dice), dice);
  return verdict.proved ? [] : verdict.differences.map(({ path }) => path);
};
