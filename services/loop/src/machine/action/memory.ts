/** Adds lessons to the session's memory, unless lessons are off: from tickets and from reviews. */
import { createLesson, type LessonDraft, mergeLesson } from "../../memory/lesson.ts";
import { readProposal } from "../../proposal/schema.ts";
import { payloadIf, type Transition, withEffects, withState } from "./transition.ts";

export const addLesson = (transition: Transition, lesson: Omit<LessonDraft, "at">): Transition => {
  const { memory, settings } = transition.state;
  if (!settings.learnings) return transition;
  const learning = createLesson({ ...lesson, at: transition.event.at });
  return withEffects(
    withState(transition, { memory: { ...memory, learnings: mergeLesson(memory.learnings, learning) } }),
    {
      kind: "log",
      type: "LEARNING_ADDED",
      payload: { id: learning.id, source: learning.source, text: learning.text },
    },
  );
};

/** How much a review must lower a figure for a lesson. */
const minDrop = { confidence: 21, impact: 3 } as const;

/** What a review took much confidence or impact from becomes a lesson; `pending` holds the proposals it reviewed. */
export const addDowngradeLessons = (transition: Transition, pending: readonly unknown[]): Transition => {
  const reviews = payloadIf(transition, "PROPOSALS_REVIEWED")?.reviewed_proposals ?? [];
  const proposals = pending.flatMap((value) => {
    const verdict = readProposal(value);
    return verdict.ok ? [verdict.proposal] : [];
  });
  return reviews.reduce((current, { title, confidence, impact_score, review_note }) => {
    const proposal = proposals.find((other) => other.title.trim() === title.trim());
    if (proposal === undefined) return current;
    const lost = [
      ...describeDrop("confidence", proposal.confidence, confidence, minDrop.confidence),
      ...describeDrop("impact", proposal.impact_score, impact_score, minDrop.impact),
    ];
    if (lost.length === 0) return current;
    const why = review_note === undefined ? "" : `: ${review_note}`;
    return addLesson(current, {
      source: "review_downgrade",
      category: "warning",
      text: `"${title.slice(0, 80)}" was rated too high (${lost.join(", ")})${why}`,
      tags: [proposal.category],
      paths: proposal.files,
    });
  }, transition);
};

const describeDrop = (what: string, before: number, after: number | undefined, threshold: number): readonly string[] =>
  after !== undefined && before - after >= threshold ? [`${what} ${before} to ${after}`] : [];
