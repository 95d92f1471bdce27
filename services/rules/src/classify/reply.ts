/**
 * What a model's reply means: exactly one valid call, or nothing rolled and the reason. Pure and total; the reply is untrusted
 * input. The Difficulty Class is the only number that is taken from it.
 */
import type { ClassifiedCall } from "@fairlead/contracts/rules";
import * as z from "zod";
import { type Classification, difficultyLabel, rejectReply } from "../classification/classification.ts";
import type { Tools } from "./tools.ts";

const tokens = z.int().min(0).catch(0);

const replySchema = z.object({
  model: z.string().catch(""),
  stop_reason: z.string().catch(""),
  content: z.array(z.object({ type: z.string(), name: z.string().catch(""), input: z.unknown().optional() })).catch([]),
  usage: z
    .object({
      input_tokens: tokens,
      output_tokens: tokens,
      cache_creation_input_tokens: tokens,
      cache_read_input_tokens: tokens,
    })
    .catch({ input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }),
});

interface ClassifiedReply extends Classification {
  readonly model: string;
  /** The whole prompt: uncached, written to the cache, read from it. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

const nothing: z.output<typeof replySchema> = replySchema.parse({});

export const parseReply = (reply: unknown, tools: Tools): ClassifiedReply => {
  const parseInput = replySchema.safeParse(reply);
  const { model, usage, ...answer } = parseInput.success ? parseInput.data : nothing;
  return {
    ...parseContent(answer, tools),
    model,
    inputTokens: usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
    outputTokens: usage.output_tokens,
  };
};

type ReplyContent = Pick<z.output<typeof replySchema>, "content" | "stop_reason">;

const parseContent = ({ content, stop_reason }: ReplyContent, tools: Tools): Classification => {
  if (stop_reason === "refusal") return rejectReply("refusal", "the model refused to answer");
  if (stop_reason === "max_tokens" || stop_reason === "model_context_window_exceeded") {
    return rejectReply("cut_off", "the model's answer was cut off");
  }
  const [call, ...more] = content.filter(({ type }) => type === "tool_use");
  if (call === undefined) return rejectReply("no_call", "the model called no tool");
  if (more.length > 0) return rejectReply("several_calls", `the model made ${1 + more.length} calls instead of one`);
  return parseToolCall(call.name, call.input, tools);
};

const parseToolCall = (name: string, input: unknown, { weapons, byName: tools }: Tools): Classification => {
  switch (name) {
    case "resolve_attack": {
      const { resolve_attack: tool } = tools;
      if (tool === undefined) return unknownTool;
      return parseInput(name, tool.input.safeParse(input), (attack) => {
        const { weapon, target, extra_damage_sources: claims, is_spell_attack: spell, spell_name: named } = attack;
        const byHand = weapons.includes(weapon);
        const casts = spell === true || !byHand;
        return {
          procedure: "resolveAttack",
          intent: {
            weapon,
            target,
            ...(claims !== undefined && { extra_damage_sources: claims.slice(0, mostClaims) }),
            ...(casts && { is_spell_attack: true, spell_name: named ?? weapon }),
          },
        };
      });
    }
    case "resolve_skill_check":
      return parseInput(name, tools.resolve_skill_check.input.safeParse(input), ({ skill, dc }) => ({
        procedure: "resolveSkillCheck",
        intent: { skill, dc },
      }));
    case "resolve_ability_check":
      return parseInput(name, tools.resolve_ability_check.input.safeParse(input), ({ ability, dc }) => ({
        procedure: "resolveAbilityCheck",
        intent: { ability, dc },
      }));
    case "resolve_saving_throw":
      return parseInput(name, tools.resolve_saving_throw.input.safeParse(input), ({ ability, dc, source }) => {
        const against = source?.trim().slice(0, longestSource) ?? "";
        return { procedure: "resolveSavingThrow", intent: { ability, dc, ...(against !== "" && { source: against }) } };
      });
    case "mark_impossible":
      return parseInput(name, tools.mark_impossible.input.safeParse(input), (intent) => ({
        procedure: "markImpossible",
        intent: cleanReason(intent),
      }));
    case "mark_no_check":
      return parseInput(name, tools.mark_no_check.input.safeParse(input), (intent) => ({
        procedure: "markNoCheck",
        intent: cleanReason(intent),
      }));
    default:
      return unknownTool;
  }
};

const mostClaims = 20;
const longestSource = 200;
const longestReason = 500;

const unknownTool = rejectReply("unknown_tool", "the model called a tool that does not exist");

const cleanReason = ({ reason }: { readonly reason: string }) => ({
  reason: reason.trim().slice(0, longestReason) || "The classifier gave no reason.",
});

const parseInput = <T>(
  name: string,
  result: z.ZodSafeParseResult<T>,
  build: (input: T) => ClassifiedCall,
): Classification => {
  if (!result.success) {
    const fields = [...new Set(result.error.issues.map(({ path }) => String(path[0] ?? "its input")))].slice(0, 3);
    return rejectReply("bad_input", `the model's call of ${name} does not fit its schema (${fields.join(", ")})`);
  }
  return clampDifficulty(build(result.data));
};

/** Limits a Difficulty Class to 1 to 30, and records what the model sent. */
const clampDifficulty = (question: ClassifiedCall): Classification => {
  switch (question.procedure) {
    case "resolveSkillCheck":
    case "resolveAbilityCheck":
    case "resolveSavingThrow": {
      const { dc: asked } = question.intent;
      const used = Math.min(30, Math.max(1, asked));
      const within = { ...question, intent: { ...question.intent, dc: used } } as ClassifiedCall;
      return { question: within, dc: { asked, used, label: difficultyLabel(used) } };
    }
    case "resolveAttack":
    case "resolveGrapple":
    case "rollInitiative":
    case "markImpossible":
    case "markNoCheck":
      return { question };
  }
};
