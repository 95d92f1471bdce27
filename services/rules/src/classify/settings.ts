/** The classifier's own configuration: `services.rules.classifier` of the configuration file, and two environment variables. */
import type { Host } from "@fairlead/kernel/service";
import * as z from "zod";

/** The service's section of the configuration. */
export const rulesConfig = z.strictObject({
  classifier: z
    .strictObject({
      model: z.string().min(1).max(200).default("claude-haiku-4-5").describe("Model to ask"),
      maxTokens: z.int().min(64).max(1_024).default(256).describe("Most tokens of its answer"),
      timeoutMs: z.int().min(100).max(30_000).default(15_000).describe("Milliseconds to wait for each try's answer"),
      retries: z.int().min(0).max(5).default(2).describe("Tries after the first, inside the call's deadline"),
    })
    .prefault({})
    .describe("How `rules.classify` asks a model"),
});

export type ClassifierSettings = z.output<typeof rulesConfig>["classifier"];

export type ApiAccess =
  | { readonly ok: true; readonly key: string; readonly baseUrl: string | null }
  | { readonly ok: false; readonly variable: string; readonly problem: "missing" | "not_an_address" };

/** Key and address of the Messages API; `null` is its public address. */
export const readAccess = (env: Host["env"]): ApiAccess => {
  const key = env.ANTHROPIC_API_KEY?.trim() ?? "";
  const baseUrl = env.ANTHROPIC_BASE_URL?.trim() ?? "";
  if (key === "") return { ok: false, variable: "ANTHROPIC_API_KEY", problem: "missing" };
  if (baseUrl === "") return { ok: true, key, baseUrl: null };
  const { protocol } = URL.parse(baseUrl) ?? {};
  return protocol === "http:" || protocol === "https:"
    ? { ok: true, key, baseUrl }
    : { ok: false, variable: "ANTHROPIC_BASE_URL", problem: "not_an_address" };
};

/** For people: what the classifier would ask, and what it lacks. */
export const classifierInfo = (
  { model }: ClassifierSettings,
  access: ApiAccess,
): Readonly<Record<string, unknown>> => ({
  classifier: { model, configured: access.ok, ...(!access.ok && { [access.problem]: access.variable }) },
});
