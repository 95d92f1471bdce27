/** The order of proposals: impact x confidence x the weight of their severity. */
import type { Proposal, Severity } from "./proposal.ts";

const weights: Readonly<Record<Severity, number>> = { blocking: 3, degrading: 2, polish: 1, speculative: 0.5 };

export const score = ({ impact_score, confidence, severity }: Proposal): number =>
  impact_score * confidence * (severity === null ? 1 : weights[severity]);

/** Best first; equal ones in the order they came. */
export const byRank = (a: Proposal, b: Proposal): number => score(b) - score(a);
