/** The phases of a session as a drawing: where each is, and the ways between them. Pure. A test holds the ways to the machine's own table. */
import type { SessionLine, SessionPhase } from "./api.ts";

interface PhaseNode {
  readonly phase: SessionPhase;
  readonly title: string;
  /** Its middle. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

interface PhaseWay {
  readonly from: SessionPhase;
  readonly to: SessionPhase;
  /** In the words of SVG. */
  readonly path: string;
}

export const size = { width: 960, height: 292, nodeHeight: 38 } as const;

const main = { y: 128, width: 108 } as const;
const ends = { y: 262, width: 172 } as const;

export const nodes: readonly PhaseNode[] = [
  { phase: "SCOUT", title: "Scout", x: 74, ...main },
  { phase: "NEXT_TICKET", title: "Next ticket", x: 234, ...main },
  { phase: "PLAN", title: "Plan", x: 396, ...main },
  { phase: "EXECUTE", title: "Execute", x: 560, ...main },
  { phase: "QA", title: "Verify", x: 724, ...main },
  { phase: "PR", title: "Pull request", x: 886, ...main },
  { phase: "PARALLEL_EXECUTE", title: "Several at once", x: 396, y: 196, width: 132 },
  { phase: "DONE", title: "Done", x: 96, ...ends },
  { phase: "BLOCKED_NEEDS_HUMAN", title: "Needs a person", x: 288, ...ends },
  { phase: "FAILED_BUDGET", title: "Budget used up", x: 480, ...ends },
  { phase: "FAILED_VALIDATION", title: "Left its scope", x: 672, ...ends },
  { phase: "FAILED_SPINDLE", title: "Went in circles", x: 864, ...ends },
];

/** The usual ways. Every phase of work can end the session; such a way is drawn where it was taken. */
export const ways: readonly PhaseWay[] = [
  { from: "SCOUT", to: "NEXT_TICKET", path: "M128 122 H178" },
  { from: "NEXT_TICKET", to: "SCOUT", path: "M180 136 H130" },
  { from: "NEXT_TICKET", to: "PLAN", path: "M288 128 H340" },
  { from: "PLAN", to: "EXECUTE", path: "M450 128 H504" },
  { from: "EXECUTE", to: "QA", path: "M614 128 H668" },
  { from: "QA", to: "PR", path: "M778 128 H830" },
  { from: "QA", to: "EXECUTE", path: "M706 108 C690 82 600 82 582 107" },
  { from: "NEXT_TICKET", to: "EXECUTE", path: "M262 108 C300 72 500 72 540 107" },
  { from: "QA", to: "NEXT_TICKET", path: "M736 108 C690 34 290 34 240 107" },
  { from: "PR", to: "NEXT_TICKET", path: "M886 108 C840 -2 270 -2 220 107" },
  { from: "PLAN", to: "NEXT_TICKET", path: "M396 148 C374 162 290 162 266 149" },
  { from: "EXECUTE", to: "NEXT_TICKET", path: "M560 148 C520 178 300 178 250 149" },
  { from: "NEXT_TICKET", to: "PARALLEL_EXECUTE", path: "M234 148 V190 H328" },
  { from: "PARALLEL_EXECUTE", to: "NEXT_TICKET", path: "M330 204 H222 V150" },
];

export const findNode = (phase: SessionPhase): PhaseNode | undefined => nodes.find((each) => each.phase === phase);

export const phaseTitle = (phase: string): string => nodes.find((each) => each.phase === phase)?.title ?? phase;

/** A change of phase that the log has. */
export interface Passage {
  readonly from: string;
  readonly to: string;
  readonly times: number;
  readonly isLast: boolean;
}

/** How often each way was taken, up to a position of the log. */
export const passages = (lines: readonly SessionLine[], at: number): readonly Passage[] => {
  const counted = new Map<string, { readonly from: string; readonly to: string; times: number; order: number }>();
  for (const { seq, type, payload } of lines) {
    if (seq > at || type !== "PHASE_CHANGED" || typeof payload !== "object" || payload === null) continue;
    const { from, to } = payload as { readonly from?: unknown; readonly to?: unknown };
    if (typeof from !== "string" || typeof to !== "string") continue;
    const before = counted.get(`${from} ${to}`);
    counted.set(`${from} ${to}`, { from, to, times: (before?.times ?? 0) + 1, order: seq });
  }
  const last = Math.max(0, ...[...counted.values()].map(({ order }) => order));
  return [...counted.values()].map(({ from, to, times, order }) => ({ from, to, times, isLast: order === last }));
};
