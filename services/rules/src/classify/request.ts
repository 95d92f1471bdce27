/** The request to the Messages API: prompt, minimal context, strict tools, exactly one call. Pure; `model.ts` sends it. */
import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { Game } from "@fairlead/contracts/rules";
import { userMessage } from "./context.ts";
import { systemPrompt } from "./prompt.ts";
import type { ClassifierSettings } from "./settings.ts";
import { formatTools, type Tools } from "./tools.ts";

export const buildRequest = (
  game: Game,
  playerInput: string,
  using: { readonly tools: Tools; readonly settings: ClassifierSettings },
): MessageCreateParamsNonStreaming => ({
  model: using.settings.model,
  max_tokens: using.settings.maxTokens,
  system: [{ type: "text", text: systemPrompt, cache_control: { type: "ephemeral" } }],
  messages: [{ role: "user", content: userMessage(game, playerInput) }],
  tools: formatTools(using.tools),
  tool_choice: { type: "any", disable_parallel_tool_use: true },
});
