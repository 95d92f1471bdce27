/** Actions of the SCOUT phase: opening a cycle, holding proposals for review, creating tickets from them, ending the cycle. */

import { recordTitle } from "../../memory/title.ts";
import type { ProposalRejection } from "../../proposal/filter.ts";
import { listTitles } from "../../proposal/review.ts";
import { markExplored } from "../../state/coverage.ts";
import type { PromptKind } from "../../state/prompt-kind.ts";
import type { RunState } from "../../state/run-state.ts";
import { compareTickets, createTicket, listDroppedCommands } from "../../ticket/ticket.ts";
import { limits } from "../../value/limits.ts";
import { quantity } from "../../value/text.ts";
import { addDowngradeLessons } from "./memory.ts";
import { payloadIf, type Transition, withEffects, withMessage, withState } from "./transition.ts";

const withScout = (transition: Transition, change: Partial<RunState["scout"]>): Transition =>
  withState(transition, { scout: { ...transition.state.scout, ...change } });

export const ask = (transition: Transition, prompt: PromptKind): Transition =>
  withEffects(transition, { kind: "prompt", prompt, ticketId: transition.state.current?.ticket.id ?? null });

/** A retry belongs to the cycle it retries; hints that wait are consumed. */
export const openScout = (transition: Transition): Transition => {
  const { scout, hints } = transition.state;
  const opened = withScout(transition, {
    cycles: scout.retries === 0 ? scout.cycles + 1 : scout.cycles,
    promptOpen: true,
    shownHints: hints,
  });
  return withEffects(
    withState(opened, { hints: [] }),
    ...hints.map((hint) => ({ kind: "log" as const, type: "HINT_CONSUMED" as const, payload: { hint } })),
  );
};

export const askScout = (transition: Transition): Transition =>
  ask(transition, transition.state.scout.retries === 0 ? "scout" : "scout-retry");

export const askReview = (transition: Transition): Transition => ask(transition, "review");

export const resetCycle = (transition: Transition): Transition =>
  withScout(transition, { retries: 0, promptOpen: false, tried: [], pending: null });

export const holdForReview = (transition: Transition): Transition => {
  const proposals = payloadIf(transition, "SCOUT_OUTPUT")?.proposals ?? [];
  const waiting = withScout(markExploredDirs(transition), { pending: proposals });
  return withMessage(
    withEffects(waiting, {
      kind: "log",
      type: "PROPOSALS_HELD_FOR_REVIEW",
      payload: { count: proposals.length },
    }),
    `waiting for a review: ${quantity(proposals.length, "proposal")}; the next prompt asks for it`,
  );
};

/** A verdict that matches no proposal would be lost. */
export const refuseReview = (transition: Transition): Transition => {
  const pending = listTitles(transition.state.scout.pending ?? []);
  const quote = (titles: readonly string[]): string =>
    titles
      .slice(0, 10)
      .map((title) => JSON.stringify(title))
      .join(", ");
  return withMessage(
    { ...transition, processed: false },
    `no proposal has the title ${quote(transition.facts.unmatchedTitles ?? [])}; there are ${quote(pending)}`,
  );
};

/** Keeps what was reported and why some of it was refused. */
export const recordScout = (transition: Transition): Transition => {
  const { proposals: filtered } = transition.facts;
  if (filtered === undefined) return transition;
  const reviewed = transition.event.type === "PROPOSALS_REVIEWED";
  const seen = markExploredDirs(addDowngradeLessons(transition, transition.state.scout.pending ?? []));
  const { scout, deferred, memory } = seen.state;
  const kept = [...deferred, ...filtered.deferred].slice(-limits.deferred);
  const titles = filtered.accepted.map(({ title }) => title);
  const noted = withState(seen, {
    carried: [],
    deferred: kept,
    scout: {
      ...scout,
      cycles: scout.promptOpen || reviewed || scout.retries > 0 ? scout.cycles : scout.cycles + 1,
      promptOpen: false,
      pending: null,
      tried: [...scout.tried, ...filtered.rejected.map(formatRejection)].slice(-20),
    },
    memory: {
      ...memory,
      remembered: titles.reduce(
        (all, title) => recordTitle(all, { title, completed: false, at: transition.event.at }),
        memory.remembered,
      ),
    },
  });
  const recorded = withEffects(noted, {
    kind: "artifact",
    name: reviewed ? "scout-proposals-reviewed.json" : "scout-proposals.json",
    body: JSON.stringify({ accepted: filtered.accepted, rejected: filtered.rejected }, null, 2),
  });
  const changed = filtered.deferred.length > 0 || transition.state.carried.length > 0;
  const deferring = changed ? withEffects(recorded, { kind: "defer", proposals: kept }) : recorded;
  return filtered.rejected.length === 0
    ? deferring
    : withEffects(deferring, {
        kind: "log",
        type: "PROPOSALS_REJECTED",
        payload: { rejected: filtered.rejected.slice(0, 40) },
      });
};

const markExploredDirs = (transition: Transition): Transition => {
  const payload = payloadIf(transition, "SCOUT_OUTPUT");
  if (payload === undefined || payload.explored_dirs.length === 0) return transition;
  const { scout, sectors } = transition.state;
  const dirs = [...new Set([...scout.exploredDirs, ...payload.explored_dirs])].slice(-limits.strings);
  return withState(transition, {
    sectors: markExplored(sectors, payload.explored_dirs),
    scout: { ...scout, exploredDirs: dirs },
  });
};

const formatRejection = ({ title, why }: ProposalRejection): string => `${title}: ${why}`.slice(0, 240);

export const createTickets = (transition: Transition): Transition => {
  const accepted = transition.facts.proposals?.accepted ?? [];
  const ids = transition.event.ticketIds ?? [];
  const { ready, ticketsCreated, settings } = transition.state;
  const room = Math.max(0, limits.openTickets - ready.length);
  const tickets = accepted.slice(0, room).flatMap((proposal, index) => {
    const id = ids[index];
    return id === undefined
      ? []
      : [createTicket(proposal, { id, order: ticketsCreated + index + 1, qaCommands: settings.qaCommands })];
  });
  const dropped = accepted.slice(0, tickets.length).flatMap(listDroppedCommands);
  const made = withState(transition, {
    ready: [...ready, ...tickets].toSorted(compareTickets),
    ticketsCreated: ticketsCreated + tickets.length,
    scout: { ...transition.state.scout, barren: 0, retries: 0, tried: [] },
  });
  return withMessage(
    withEffects(made, ...tickets.map((ticket) => ({ kind: "ticket" as const, ticket, note: null })), {
      kind: "log",
      type: "TICKETS_CREATED",
      payload: {
        tickets: tickets.map(({ id, title, priority }) => ({ id, title, priority })),
        ...(dropped.length > 0 && { commands_left_out: dropped.slice(0, 40) }),
      },
    }),
    `${quantity(tickets.length, "ticket")} made${formatRefusals(transition)}${formatDroppedCommands(dropped)}`,
  );
};

const formatDroppedCommands = (commands: readonly string[]): string =>
  commands.length === 0
    ? ""
    : `; ${quantity(commands.length, "verification command")} left out, the first: ${commands[0]}`;

const formatRefusals = ({ facts }: Transition): string => {
  const rejected = facts.proposals?.rejected ?? [];
  const [first] = rejected;
  return first === undefined ? "" : `; ${rejected.length} refused, the first: ${formatRejection(first)}`;
};

export const retryScout = (transition: Transition): Transition =>
  withMessage(
    withScout(transition, { retries: transition.state.scout.retries + 1 }),
    `no proposal was accepted${formatRefusals(transition)}; the next prompt asks for another try`,
  );

export const endBarrenCycle = (transition: Transition): Transition => {
  const { barren, cycles } = transition.state.scout;
  return withMessage(
    withEffects(withScout(transition, { barren: barren + 1, retries: 0 }), {
      kind: "log",
      type: "SCOUT_BARREN",
      payload: { cycle: cycles },
    }),
    `this scout cycle gave nothing${formatRefusals(transition)}`,
  );
};
