/** The order of proposals: impact x confidence x the weight of their severity x how much depends on what they touch. */
import type { Proposal, ProposalSeverity } from "./proposal.ts";

const weights: Readonly<Record<ProposalSeverity, number>> = { blocking: 3, degrading: 2, polish: 1, speculative: 0.5 };

const score = ({ impact_score, confidence, severity }: Proposal): number =>
  impact_score * confidence * (severity === null ? 1 : weights[severity]);

/** Best first; equal ones in the order they came. `boost` multiplies the score of work on such files. */
export const rankProposals = (
  proposals: readonly Proposal[],
  boost: (files: readonly string[]) => number,
): readonly Proposal[] =>
  proposals
    .map((proposal) => ({ proposal, rank: score(proposal) * boost(proposal.files) }))
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ proposal }) => proposal);
