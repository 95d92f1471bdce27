/** `rules.classify`: one call is chosen for what a player says, and resolved; or an outcome of an earlier call is proved. */
import type rules from "@fairlead/contracts/rules";
import type { ClassifiedCall, ClassifyInput, Game, RollResult, RulesOutcome } from "@fairlead/contracts/rules";
import type { Call, FairleadError } from "@fairlead/kernel/service";
import { createDice } from "../dice/input.ts";
import { type Choice, type Choose, type ClassifierDependencies, createChooser } from "./choose.ts";
import { ModelFailure, suggestFix } from "./model-failure.ts";
import { findUnproved, resolveChoice } from "./outcome.ts";
import type { ApiAccess } from "./settings.ts";

type Procedures = (typeof rules)["procedures"];

/** A call whose procedure may ask a model. */
type AskingCall = Pick<Call<Procedures["playerRoll"]>, "fail" | "signal" | "deadline">;

/** A call whose procedure may prove an outcome. */
type ProvingCall = Pick<Call<Procedures["playerChat"]>, "fail">;

/** Chooses for a call: what stops it becomes an error that the call declares. */
export type ChooseForCall = (game: Game, playerInput: string, call: AskingCall) => Promise<Choice>;

export const createChoosing = (parts: ClassifierDependencies): ChooseForCall => {
  const choose: Choose | undefined = createChooser(parts);
  return async (game, playerInput, call) => {
    if (choose === undefined) throw notConfiguredError(parts.access, call);
    try {
      return await choose(game, playerInput, call);
    } catch (cause) {
      throw cause instanceof ModelFailure ? toDeclaredError(cause, call) : cause;
    }
  };
};

export const createClassifier =
  (choose: ChooseForCall) =>
  async (
    { game, playerInput, dice, precomputed }: ClassifyInput,
    call: Call<Procedures["classify"]>,
  ): Promise<RulesOutcome> => {
    if (precomputed !== undefined) return proved(game, precomputed, call);
    const choice = await choose(game, playerInput, call);
    return resolveChoice(game, choice, { dice: createDice(dice), unknownNames: "reject" });
  };

const proved = (
  game: Game,
  { question, parsed }: { readonly question: ClassifiedCall; readonly parsed: RollResult },
  call: ProvingCall,
): RulesOutcome => {
  requireProof(game, { question, parsed }, call);
  return {
    parsed,
    raw: parsed.raw,
    roll: parsed.dieResult,
    inputTokens: 0,
    outputTokens: 0,
    question,
    classifier: { model: "", attempts: 0 },
  };
};

/** Fails with `not_proved` when the outcome does not follow from the game and its dice. */
export const requireProof = (
  game: Game,
  { question, parsed }: { readonly question: ClassifiedCall; readonly parsed: RollResult },
  call: ProvingCall,
): void => {
  const differences = findUnproved(game, question, parsed);
  if (differences.length === 0) return;
  const message = `the precomputed outcome does not follow from the game and its dice: ${differences.slice(0, 3).join(", ")}`;
  throw call.fail("not_proved", { message }, { differences: [...differences] });
};

const notConfiguredError = (access: ApiAccess, call: AskingCall): FairleadError => {
  const { variable, problem } = access.ok ? { variable: "ANTHROPIC_API_KEY", problem: "missing" as const } : access;
  const what = problem === "missing" ? "is not set" : "is no http or https address";
  return call.fail(
    "model_not_configured",
    { message: `no model can be asked: ${variable} ${what}` },
    { variable, problem },
  );
};

const toDeclaredError = ({ fault }: ModelFailure, call: AskingCall): FairleadError => {
  const { message } = fault;
  switch (fault.kind) {
    case "rejected":
      return call.fail(
        "model_rejected",
        { message, hint: suggestFix(fault.status) },
        { status: fault.status, type: fault.type, requestId: fault.requestId },
      );
    case "unavailable":
      return call.fail(
        "model_unavailable",
        { message },
        {
          status: fault.status,
          attempts: fault.attempts,
          ...(fault.retryAfterMs !== undefined && { retryAfterMs: fault.retryAfterMs }),
        },
      );
  }
};
