/** `rules.classify`: asks the model for one call, resolves it, and counts the tokens; or proves an outcome that was made before. */
import type rules from "@fairlead/contracts/rules";
import type { ClassifyInput, Game, RollResult, RulesOutcome } from "@fairlead/contracts/rules";
import type { Call, FairleadError, Host } from "@fairlead/kernel/service";
import { diceOf } from "../dice/input.ts";
import type { Dice } from "../dice/source.ts";
import { recorded, verdictOn } from "../resolve/replay.ts";
import { settle } from "../resolve/settle.ts";
import { isRefusal } from "../result/refusal.ts";
import { makeAsk } from "./model.ts";
import { fixOf, ModelFailure } from "./model-failure.ts";
import { type Read, type Reading, readReply, rejectedFor } from "./reading.ts";
import { requestFor } from "./request.ts";
import type { Access, Settings } from "./settings.ts";
import { toolsFor } from "./tools.ts";

type ClassifyCall = Call<(typeof rules)["procedures"]["classify"]>;

export interface ClassifierParts {
  readonly settings: Settings;
  readonly access: Access;
  readonly log: Host["log"];
}

export type Classify = (input: ClassifyInput, call: ClassifyCall) => Promise<RulesOutcome>;

export const makeClassify = ({ settings, access, log }: ClassifierParts): Classify => {
  const ask = access.ok ? makeAsk(access, settings, log) : undefined;
  return async ({ game, playerInput, dice, precomputed }, call) => {
    if (precomputed !== undefined) return proved(game, precomputed, call);
    if (ask === undefined) throw notConfigured(access, call);
    const tools = toolsFor(game);
    try {
      const { reply, requestId, attempts } = await ask(requestFor(game, playerInput, { tools, settings }), call);
      const read = readReply(reply, tools);
      const outcome = resolved(game, read, diceOf(dice));
      return outcomeOf(outcome, read, { model: read.model, attempts, ...(requestId !== undefined && { requestId }) });
    } catch (cause) {
      throw cause instanceof ModelFailure ? declared(cause, call) : cause;
    }
  };
};

/** The call's result. Names that the rules do not know are the model's mistake; several matches and missing dice are the caller's. */
const resolved = (game: Game, reading: Reading, dice: Dice): { readonly parsed: RollResult; readonly by: Reading } => {
  try {
    return { parsed: settle(game, reading.question, dice), by: reading };
  } catch (thrown) {
    if (!isRefusal(thrown) || !thrown.reason.startsWith("unknown_")) throw thrown;
    const by = rejectedFor("bad_input", "the model's call names what the character does not have");
    return { parsed: settle(game, by.question, dice), by };
  }
};

const outcomeOf = (
  { parsed, by }: ReturnType<typeof resolved>,
  { inputTokens, outputTokens }: Pick<Read, "inputTokens" | "outputTokens">,
  asked: Pick<RulesOutcome["classifier"], "model" | "requestId" | "attempts">,
): RulesOutcome => ({
  parsed,
  raw: parsed.raw,
  roll: parsed.dieResult,
  inputTokens,
  outputTokens,
  question: by.question,
  classifier: {
    ...asked,
    ...(by.dc !== undefined && { dc: by.dc }),
    ...(by.rejected !== undefined && { rejected: by.rejected }),
  },
});

const proved = (
  game: Game,
  { question, parsed }: NonNullable<ClassifyInput["precomputed"]>,
  call: ClassifyCall,
): RulesOutcome => {
  const dice = recorded(parsed);
  const verdict = verdictOn(parsed, settle(game, question, dice), dice);
  if (!verdict.proved) {
    const differences = verdict.differences.map(({ path }) => path);
    const message = `the precomputed outcome does not follow from the game and its dice: ${differences.slice(0, 3).join(", ")}`;
    throw call.fail("not_proved", { message }, { differences });
  }
  const spent = { inputTokens: 0, outputTokens: 0 };
  return outcomeOf({ parsed, by: { question } }, spent, { model: "", attempts: 0 });
};

const notConfigured = (access: Access, call: ClassifyCall): FairleadError => {
  const { variable, problem } = access.ok ? { variable: "ANTHROPIC_API_KEY", problem: "missing" as const } : access;
  const what = problem === "missing" ? "is not set" : "is no http or https address";
  return call.fail(
    "model_not_configured",
    { message: `no model can be asked: ${variable} ${what}` },
    { variable, problem },
  );
};

const declared = ({ fault }: ModelFailure, call: ClassifyCall): FairleadError => {
  const { message } = fault;
  switch (fault.kind) {
    case "rejected":
      return call.fail(
        "model_rejected",
        { message, hint: fixOf(fault.status) },
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
