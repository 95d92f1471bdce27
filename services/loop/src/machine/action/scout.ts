/** Actions of the SCOUT phase: opening a cycle, holding proposals for review, making tickets of them, giving up. */

import { remember } from "../../memory/title.ts";
import type { Rejection } from "../../proposal/filter.ts";
import { markExplored } from "../../state/coverage.ts";
import type { PromptKind } from "../../state/prompt-kind.ts";
import type { RunState } from "../../state/run-state.ts";
import { byPriority, leftOut, ticketFrom } from "../../ticket/ticket.ts";
import { limits } from "../../value/limits.ts";
import { quantity } from "../../value/text.ts";
import { keepDowngrades } from "./memory.ts";
import { payloadOf, say, type Turn, withEffects, withState } from "./transition.ts";

const withScout = (turn: Turn, change: Partial<RunState["scout"]>): Turn =>
  withState(turn, { scout: { ...turn.state.scout, ...change } });

export const ask = (turn: Turn, prompt: PromptKind): Turn =>
  withEffects(turn, { kind: "prompt", prompt, ticketId: turn.state.current?.ticket.id ?? null });

/** A retry belongs to the cycle it retries; hints that wait are consumed. */
export const openScout = (turn: Turn): Turn => {
  const { scout, hints } = turn.state;
  const opened = withScout(turn, {
    cycles: scout.retries === 0 ? scout.cycles + 1 : scout.cycles,
    asked: true,
    shownHints: hints,
  });
  return withState(opened, { hints: [] });
};

export const askScout = (turn: Turn): Turn => ask(turn, turn.state.scout.retries === 0 ? "scout" : "scout-retry");

export const askReview = (turn: Turn): Turn => ask(turn, "review");

export const freshCycle = (turn: Turn): Turn => withScout(turn, { retries: 0, asked: false, tried: [], pending: null });

export const holdForReview = (turn: Turn): Turn => {
  const proposals = payloadOf(turn, "SCOUT_OUTPUT")?.proposals ?? [];
  const held = withScout(explored(turn), { pending: proposals });
  return say(
    withEffects(held, {
      kind: "log",
      type: "PROPOSALS_HELD_FOR_REVIEW",
      payload: { count: proposals.length },
    }),
    `held for a review: ${quantity(proposals.length, "proposal")}; call advance for the review prompt`,
  );
};

/** Keeps what was reported and why some of it was refused. */
export const recordScout = (turn: Turn): Turn => {
  const { sifted } = turn.facts;
  if (sifted === undefined) return turn;
  const reviewed = turn.event.type === "PROPOSALS_REVIEWED";
  const seen = explored(keepDowngrades(turn, turn.state.scout.pending ?? []));
  const { scout, deferred, memory } = seen.state;
  const kept = [...deferred, ...sifted.deferred].slice(-limits.deferred);
  const titles = sifted.accepted.map(({ title }) => title);
  const noted = withState(seen, {
    carried: [],
    deferred: kept,
    scout: {
      ...scout,
      cycles: scout.asked || reviewed || scout.retries > 0 ? scout.cycles : scout.cycles + 1,
      asked: false,
      pending: null,
      tried: [...scout.tried, ...sifted.rejected.map(triedText)].slice(-20),
    },
    memory: {
      ...memory,
      remembered: titles.reduce(
        (all, title) => remember(all, { title, completed: false, at: turn.event.at }),
        memory.remembered,
      ),
    },
  });
  const recorded = withEffects(noted, {
    kind: "artifact",
    name: reviewed ? "scout-proposals-reviewed.json" : "scout-proposals.json",
    body: JSON.stringify({ accepted: sifted.accepted, rejected: sifted.rejected }, null, 2),
  });
  const changed = sifted.deferred.length > 0 || turn.state.carried.length > 0;
  const deferring = changed ? withEffects(recorded, { kind: "defer", proposals: kept }) : recorded;
  return sifted.rejected.length === 0
    ? deferring
    : withEffects(deferring, {
        kind: "log",
        type: "PROPOSALS_REJECTED",
        payload: { rejected: sifted.rejected.slice(0, 40) },
      });
};

const explored = (turn: Turn): Turn => {
  const payload = payloadOf(turn, "SCOUT_OUTPUT");
  if (payload === undefined || payload.explored_dirs.length === 0) return turn;
  const { scout, sectors } = turn.state;
  const dirs = [...new Set([...scout.exploredDirs, ...payload.explored_dirs])].slice(-limits.strings);
  return withState(turn, {
    sectors: markExplored(sectors, payload.explored_dirs),
    scout: { ...scout, exploredDirs: dirs },
  });
};

const triedText = ({ title, why }: Rejection): string => `${title}: ${why}`.slice(0, 240);

export const createTickets = (turn: Turn): Turn => {
  const accepted = turn.facts.sifted?.accepted ?? [];
  const ids = turn.event.ticketIds ?? [];
  const { ready, ticketsCreated, settings } = turn.state;
  const room = Math.max(0, limits.openTickets - ready.length);
  const tickets = accepted.slice(0, room).flatMap((proposal, index) => {
    const id = ids[index];
    return id === undefined
      ? []
      : [ticketFrom(proposal, { id, order: ticketsCreated + index + 1, qaCommands: settings.qaCommands })];
  });
  const dropped = accepted.slice(0, tickets.length).flatMap(leftOut);
  const made = withState(turn, {
    ready: [...ready, ...tickets].toSorted(byPriority),
    ticketsCreated: ticketsCreated + tickets.length,
    scout: { ...turn.state.scout, barren: 0, retries: 0, tried: [] },
  });
  return say(
    withEffects(made, ...tickets.map((ticket) => ({ kind: "ticket" as const, ticket, note: null })), {
      kind: "log",
      type: "TICKETS_CREATED",
      payload: {
        tickets: tickets.map(({ id, title, priority }) => ({ id, title, priority })),
        ...(dropped.length > 0 && { commands_left_out: dropped.slice(0, 40) }),
      },
    }),
    `${quantity(tickets.length, "ticket")} made${refusedText(turn)}${leftOutText(dropped)}`,
  );
};

const leftOutText = (commands: readonly string[]): string =>
  commands.length === 0
    ? ""
    : `; ${quantity(commands.length, "verification command")} left out, the first: ${commands[0]}`;

const refusedText = ({ facts }: Turn): string => {
  const rejected = facts.sifted?.rejected ?? [];
  const [first] = rejected;
  return first === undefined ? "" : `; ${rejected.length} refused, the first: ${triedText(first)}`;
};

export const retryScout = (turn: Turn): Turn =>
  say(
    withScout(turn, { retries: turn.state.scout.retries + 1 }),
    `no proposal was accepted${refusedText(turn)}; call advance for another try`,
  );

export const endBarrenCycle = (turn: Turn): Turn => {
  const { barren, cycles } = turn.state.scout;
  return say(
    withEffects(withScout(turn, { barren: barren + 1, retries: 0 }), {
      kind: "log",
      type: "SCOUT_BARREN",
      payload: { cycle: cycles },
    }),
    `this scout cycle gave nothing${refusedText(turn)}`,
  );
};
