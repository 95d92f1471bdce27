/** What a classifier makes of a text: one call, or the reason why there is none. Not here: who classifies (`classify/` asks a model, `grammar/` needs none). */
import type { ClampedDc, ClassifiedCall, Rejection } from "@fairlead/contracts/rules";

export interface Classification {
  readonly question: ClassifiedCall;
  readonly dc?: ClampedDc;
  readonly rejected?: Rejection;
}

/** Nothing is rolled, and the reason says why; it names the field, never repeats the model's words. */
export const rejectReply = (rejected: Rejection, why: string): Classification => ({
  question: { procedure: "markNoCheck", intent: { reason: `Not classified, nothing was rolled: ${why}.` } },
  rejected,
});

const ladder = ["very easy", "easy", "medium", "hard", "very hard", "nearly impossible"] as const;

/** The nearest step of the SRD's ladder of fives, the higher one where two are as near. */
export const difficultyLabel = (dc: number): ClampedDc["label"] =>
  ladder[Math.min(ladder.length - 1, Math.max(0, Math.round(dc / 5) - 1))] ?? "medium";
