/** The review pass: verdicts merged into the proposals that they are about, matched by title. Pure. */
import { cutEnd } from "../value/text.ts";

/** What a review says: one verdict for each proposal that it changes. */
export interface ProposalReview {
  readonly reviewed_proposals: readonly {
    readonly title: string;
    readonly confidence?: number | undefined;
    readonly impact_score?: number | undefined;
    readonly review_note?: string | undefined;
  }[];
}

/** Characters of a title that a verdict may have; a longer one is compared as it was cut. */
export const maxTitle = 300;

/** The title of a proposal as a verdict has it; undefined for what has none. */
const readTitle = (proposal: unknown): string | undefined =>
  typeof proposal === "object" && proposal !== null && "title" in proposal
    ? cutEnd(String(proposal.title), maxTitle).trim()
    : undefined;

/** The titles of the proposals, as far as they have one. */
export const listTitles = (pending: readonly unknown[]): readonly string[] =>
  pending.flatMap((proposal) => readTitle(proposal) ?? []);

/** The proposals with what the review changed. */
export const mergeReviews = (
  pending: readonly unknown[],
  { reviewed_proposals }: ProposalReview,
): readonly unknown[] => {
  const reviews = new Map(reviewed_proposals.map((review) => [review.title.trim(), review]));
  return pending.map((proposal) => {
    const review = reviews.get(readTitle(proposal) ?? "");
    if (typeof proposal !== "object" || proposal === null || review === undefined) return proposal;
    const { confidence, impact_score, review_note } = review;
    return {
      ...proposal,
      ...(confidence !== undefined && { confidence }),
      ...(impact_score !== undefined && { impact_score }),
      review_note: review_note ?? "reviewed",
    };
  });
};

/** The titles of verdicts that no proposal has. */
export const listUnmatched = (
  pending: readonly unknown[],
  { reviewed_proposals }: ProposalReview,
): readonly string[] => {
  const known = new Set(listTitles(pending));
  return reviewed_proposals.map(({ title }) => title.trim()).filter((title) => !known.has(title));
};
