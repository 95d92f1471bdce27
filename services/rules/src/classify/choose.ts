/** Who chooses the call for what a player says: the model, or the offline grammar. Not here: what the call leads to (`outcome.ts`). */
import type { Game, RulesOutcome } from "@fairlead/contracts/rules";
import type { Host } from "@fairlead/kernel/service";
import type { Classification } from "../classification/classification.ts";
import { chooseOffline } from "../grammar/choose-offline.ts";
import { createModelClient } from "./model.ts";
import { parseReply } from "./reply.ts";
import { buildRequest } from "./request.ts";
import { type ApiAccess, type ClassifierSettings, isOffline } from "./settings.ts";
import { buildTools } from "./tools.ts";

export interface ClassifierDependencies {
  readonly settings: ClassifierSettings;
  readonly access: ApiAccess;
  readonly log: Host["log"];
}

/** The chosen call, what it cost, and who chose it. */
export interface Choice {
  readonly read: Classification;
  readonly tokens: Pick<RulesOutcome, "inputTokens" | "outputTokens">;
  readonly by: Pick<RulesOutcome["classifier"], "model" | "requestId" | "attempts">;
}

/** What ends the call that needs the choice. */
interface CallLimits {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Rejects with a `ModelFailure`. */
export type Choose = (game: Game, playerInput: string, call: CallLimits) => Promise<Choice>;

const noTokens = { inputTokens: 0, outputTokens: 0 };

/** `undefined` where a model is wanted and none can be asked. */
export const createChooser = ({ settings, access, log }: ClassifierDependencies): Choose | undefined => {
  if (isOffline(settings, access)) {
    return async (game, playerInput) => ({
      read: chooseOffline(game, playerInput),
      tokens: noTokens,
      by: { model: "offline", attempts: 0 },
    });
  }
  if (!access.ok) return undefined;
  const ask = createModelClient(access, settings, log);
  return async (game, playerInput, call) => {
    const tools = buildTools(game);
    const { reply, requestId, attempts } = await ask(buildRequest(game, playerInput, { tools, settings }), call);
    const { model, inputTokens, outputTokens, ...read } = parseReply(reply, tools);
    return {
      read,
      tokens: { inputTokens, outputTokens },
      by: { model, attempts, ...(requestId !== undefined && { requestId }) },
    };
  };
};
