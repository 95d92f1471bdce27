/** `rules.classify`: lets the model choose one call, resolves it, and counts the tokens; or proves an outcome of an earlier call. */
import type rules from "@fairlead/contracts/rules";
import type { ClassifyInput, Game, RollResult, RulesOutcome } from "@fairlead/contracts/rules";
import type { Call, FairleadError, Host } from "@fairlead/kernel/service";
import { createDice } from "../dice/input.ts";
import type { Dice } from "../dice/source.ts";
import { resolveQuestion } from "../resolve/question.ts";
import { compareResults, recordedDice } from "../resolve/replay.ts";
import { isRefusal } from "../result/refusal.ts";
import { createModelClient } from "./model.ts";
import { ModelFailure, suggestFix } from "./model-failure.ts";
import { type Classification, type ClassifiedReply, parseReply, rejectReply } from "./reply.ts";
import { buildRequest } from "./request.ts";
import type { ApiAccess, ClassifierSettings } from "./settings.ts";
import { buildTools } from "./tools.ts";

type ClassifyCall = Call<(typeof rules)["procedures"]["classify"]>;

export interface ClassifierDependencies {
  readonly settings: ClassifierSettings;
  readonly access: ApiAccess;
  readonly log: Host["log"];
}

type Classify = (input: ClassifyInput, call: ClassifyCall) => Promise<RulesOutcome>;

export const createClassifier = ({ settings, access, log }: ClassifierDependencies): Classify => {
  const ask = access.ok ? createModelClient(access, settings, log) : undefined;
  return async ({ game, playerInput, dice, precomputed }, call) => {
    if (precomputed !== undefined) return replayPrecomputed(game, precomputed, call);
    if (ask === undefined) throw notConfiguredError(access, call);
    const tools = buildTools(game);
    try {
      const { reply, requestId, attempts } = await ask(buildRequest(game, playerInput, { tools, settings }), call);
      const read = parseReply(reply, tools);
      const outcome = resolveClassification(game, read, createDice(dice));
      return buildOutcome(outcome, read, {
        model: read.model,
        attempts,
        ...(requestId !== undefined && { requestId }),
      });
    } catch (cause) {
      throw cause instanceof ModelFailure ? toDeclaredError(cause, call) : cause;
    }
  };
};

/** The call's result. Names that the rules do not know are the model's mistake; several matches and missing dice are the caller's. */
const resolveClassification = (
  game: Game,
  reading: Classification,
  dice: Dice,
): { readonly parsed: RollResult; readonly by: Classification } => {
  try {
    return { parsed: resolveQuestion(game, reading.question, dice), by: reading };
  } catch (thrown) {
    if (!isRefusal(thrown) || !thrown.reason.startsWith("unknown_")) throw thrown;
    const by = rejectReply("bad_input", "the model's call names what the character does not have");
    return { parsed: resolveQuestion(game, by.question, dice), by };
  }
};

const buildOutcome = (
  { parsed, by }: ReturnType<typeof resolveClassification>,
  { inputTokens, outputTokens }: Pick<ClassifiedReply, "inputTokens" | "outputTokens">,
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

const replayPrecomputed = (
  game: Game,
  { question, parsed }: NonNullable<ClassifyInput["precomputed"]>,
  call: ClassifyCall,
): RulesOutcome => {
  const dice = recordedDice(parsed);
  const verdict = compareResults(parsed, resolveQuestion(game, question, dice), dice);
  if (!verdict.proved) {
    const differences = verdict.differences.map(({ path }) => path);
    const message = `the precomputed outcome does not follow from the game and its dice: ${differences.slice(0, 3).join(", ")}`;
    throw call.fail("not_proved", { message }, { differences });
  }
  const spent = { inputTokens: 0, outputTokens: 0 };
  return buildOutcome({ parsed, by: { question } }, spent, { model: "", attempts: 0 });
};

const notConfiguredError = (access: ApiAccess, call: ClassifyCall): FairleadError => {
  const { variable, problem } = access.ok ? { variable: "ANTHROPIC_API_KEY", problem: "missing" as const } : access;
  const what = problem === "missing" ? "is not set" : "is no http or https address";
  return call.fail(
    "model_not_configured",
    { message: `no model can be asked: ${variable} ${what}` },
    { variable, problem },
  );
};

const toDeclaredError = ({ fault }: ModelFailure, call: ClassifyCall): FairleadError => {
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
