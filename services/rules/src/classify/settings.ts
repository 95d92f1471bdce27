/** The classifier's own configuration: `services.rules.classifier` of the configuration file, and two environment variables. */
import type { Host } from "@fairlead/kernel/service";
import * as z from "zod";

/** The service's section of the configuration. */
export const rulesConfig = z.strictObject({
  classifier: z
    .strictObject({
      by: z
        .enum(["auto", "model", "offline"])
        .default("auto")
        .describe("Who chooses the call: a model, the offline grammar, or a model where there is a key for one"),
      model: z.string().min(1).max(200).default("claude-haiku-4-5").describe("Model to ask"),
      maxTokens: z.int().min(64).max(1_024).default(256).describe("Most tokens of its answer"),
      timeoutMs: z.int().min(100).max(30_000).default(15_000).describe("Milliseconds to wait for each try's answer"),
      dollarsPerMillion: z
        .strictObject({ input: z.number().min(0).default(1), output: z.number().min(0).default(5) })
        .prefault({})
        .describe("US dollars for a million tokens, for the cost that `playerRoll` answers"),
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

/** True where the grammar chooses: by configuration, or because there is no key. A wrong address is reported, not avoided. */
export const isOffline = ({ by }: ClassifierSettings, access: ApiAccess): boolean =>
  by === "offline" || (by === "auto" && !access.ok && access.problem === "missing");

/** For people: what the classifier would ask, and what it lacks. */
export const classifierInfo = (settings: ClassifierSettings, access: ApiAccess): Readonly<Record<string, unknown>> => ({
  classifier: {
    model: isOffline(settings, access) ? "offline" : settings.model,
    configured: access.ok,
    ...(!access.ok && { [access.problem]: access.variable }),
  },
});
