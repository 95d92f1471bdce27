/** Keeps lessons in the session's memory, when it keeps any: those of tickets, and those of reviews. */
import { type Lesson, learn, learningFrom } from "../../memory/lesson.ts";
import { readProposal } from "../../proposal/schema.ts";
import { payloadOf, type Turn, withEffects, withState } from "./transition.ts";

export const keep = (turn: Turn, lesson: Omit<Lesson, "at">): Turn => {
  const { memory, settings } = turn.state;
  if (!settings.learnings) return turn;
  const learning = learningFrom({ ...lesson, at: turn.event.at });
  return withEffects(withState(turn, { memory: { ...memory, learnings: learn(memory.learnings, learning) } }), {
    kind: "log",
    type: "LEARNING_ADDED",
    payload: { id: learning.id, source: learning.source, text: learning.text },
  });
};

/** From how far on a review's lower figure is a lesson. */
const downgrade = { confidence: 21, impact: 3 } as const;

/** What a review took much confidence or impact from becomes a lesson; `pending` is what was held for it. */
export const keepDowngrades = (turn: Turn, pending: readonly unknown[]): Turn => {
  const reviews = payloadOf(turn, "PROPOSALS_REVIEWED")?.reviewed_proposals ?? [];
  const held = pending.flatMap((value) => {
    const verdict = readProposal(value);
    return verdict.ok ? [verdict.proposal] : [];
  });
  return reviews.reduce((taught, { title, confidence, impact_score, review_note }) => {
    const proposal = held.find((other) => other.title.trim() === title.trim());
    if (proposal === undefined) return taught;
    const lost = [
      ...fallen("confidence", proposal.confidence, confidence, downgrade.confidence),
      ...fallen("impact", proposal.impact_score, impact_score, downgrade.impact),
    ];
    if (lost.length === 0) return taught;
    const why = review_note === undefined ? "" : `: ${review_note}`;
    return keep(taught, {
      source: "review_downgrade",
      category: "warning",
      text: `"${title.slice(0, 80)}" was rated too high (${lost.join(", ")})${why}`,
      tags: [proposal.category],
      paths: proposal.files,
    });
  }, turn);
};

const fallen = (what: string, before: number, after: number | undefined, least: number): readonly string[] =>
  after !== undefined && before - after >= least ? [`${what} ${before} to ${after}`] : [];
