/** The prompts advance can answer with. */
export const promptKinds = ["scout", "scout-retry", "review", "plan", "execute", "qa", "pr"] as const;
export type PromptKind = (typeof promptKinds)[number];
