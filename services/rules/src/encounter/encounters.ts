/**
 * The encounters of this service: found by handle and caller, brought up to date from the store, changed by one call at a time. What is kept in memory is
 * only what the store's calls make, so a restart or another kernel goes on where the last call left off.
 */
import type {
  DiceInput,
  EncounterLog,
  EncounterQuestion,
  EncounterView,
  KeptEncounter,
  Odds,
} from "@fairlead/contracts/rules";
import { type Creature, isDead } from "../creatures/creature.ts";
import type { FindMonster } from "../creatures/monster.ts";
import { computeOdds } from "../odds/odds.ts";
import { isRefusal, Refusal } from "../result/refusal.ts";
import { describeCall } from "../result/story.ts";
import type { EncounterAction } from "./act.ts";
import {
  type AnsweredCall,
  advance,
  begin,
  digest,
  type EncounterActionResult,
  type EncounterAnswer,
  type EncounterCall,
  type EncounterHistory,
  newestState,
} from "./log.ts";
import { noScene } from "./scene.ts";
import { findActor, gameFor, viewEncounter } from "./state.ts";
import type { EncounterStore, ListedEncounter, StoredCall } from "./store.ts";
import { usedWeapon } from "./used-weapon.ts";

/** Whose encounter, and the version that the caller saw. */
export interface EncounterAddress {
  readonly handle: string;
  readonly principal: string;
  readonly version?: number | undefined;
}

type LaterCall = Exclude<EncounterCall, { readonly type: "start" }>;

type StartCall = Extract<EncounterCall, { readonly type: "start" }>;

/**
 * Each refuses with `unknown_encounter`, `encounter_outdated`, `stale_version` or `encounter_full`, and as the call itself does; then nothing is stored.
 * `log` reads an outdated encounter, too.
 */
export interface Encounters {
  start(principal: string, input: StartCall["input"], dice: StartCall["dice"]): EncounterView;
  act(address: EncounterAddress, action: EncounterAction, dice: DiceInput | undefined): EncounterActionResult;
  change(address: EncounterAddress, call: Exclude<LaterCall, { readonly type: "act" }>): EncounterView;
  view(address: EncounterAddress): EncounterView;
  log(address: EncounterAddress): EncounterLog;
  /** Those of a caller, the newest first. */
  list(principal: string, limit: number): readonly KeptEncounter[];
  /** Of what somebody might do now. Refuses with `unknown_actor` as well, and as odds by value do. */
  odds(address: EncounterAddress, asked: Omit<EncounterQuestion, "encounter">): Odds;
  close(): void;
}

/** Histories kept in memory; any other is made again from the store. */
const mostCached = 50;

/** Calls of one encounter, its end aside. All of them run again when it is loaded. */
const mostCallsOfOne = 5_000;

const isProved = ({ answer }: StoredCall, again: AnsweredCall | undefined): boolean =>
  again !== undefined && digest(again.answer) === answer;

/** Nothing where the present rules refuse the call. */
const describeAnswered = (
  call: EncounterCall,
  answered: AnsweredCall | undefined,
  before: AnsweredCall | undefined,
): string[] => {
  if (answered === undefined) return [];
  const acting = call.type === "act" && "intent" in call.action && before !== undefined ? call.action : undefined;
  const actor =
    acting === undefined || before === undefined
      ? undefined
      : findActor(newestState(before.history), acting.actor).sheet.name;
  return [...describeCall({ type: call.type, actor, answer: answered.answer })];
};

const entrantName = (entrant: string | { readonly name: string }): string =>
  typeof entrant === "string" ? entrant : entrant.name;

const summarize = ({ handle, first, version, latest }: ListedEncounter): KeptEncounter => {
  if (first.type !== "start") throw new TypeError("an encounter begins with its start");
  const { input, survivors = [] } = first;
  return {
    encounter: handle,
    edition: input.edition,
    version,
    latest,
    party: [...survivors.map(({ sheet }) => sheet.name), ...input.party.map(entrantName)],
    foes: input.foes.map(entrantName),
  };
};

const randomText = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");

export const createEncounters = (
  store: EncounterStore,
  findMonster: FindMonster,
  mostCalls = mostCallsOfOne,
): Encounters => {
  const cache = new Map<string, { readonly principal: string; readonly history: EncounterHistory }>();

  const remember = (principal: string, history: EncounterHistory): void => {
    cache.delete(history.handle);
    cache.set(history.handle, { principal, history });
    const oldest = cache.keys().next().value;
    if (cache.size > mostCached && oldest !== undefined) cache.delete(oldest);
  };

  const unknown = (handle: string): Refusal<"unknown_encounter"> =>
    new Refusal("unknown_encounter", `there is no encounter ${handle}`, { encounter: handle });

  const replayCall = (handle: string, call: EncounterCall, history: EncounterHistory | undefined): AnsweredCall => {
    if (call.type === "start") return begin(handle, call, findMonster);
    if (history === undefined) throw unknown(handle);
    return advance(history, call);
  };

  /** The calls run again, up to the first that is refused: other rules than those that answered it may do so. */
  const replay = (handle: string, calls: readonly StoredCall[], from?: EncounterHistory): readonly AnsweredCall[] => {
    const answered: AnsweredCall[] = [];
    let history = from;
    for (const { call } of calls) {
      try {
        const next = replayCall(handle, call, history);
        answered.push(next);
        history = next.history;
      } catch (thrown) {
        if (isRefusal(thrown)) return answered;
        throw thrown;
      }
    }
    return answered;
  };

  const load = ({ handle, principal }: EncounterAddress): EncounterHistory => {
    const cached = cache.get(handle);
    const stored = store.read(handle, cached?.history.version ?? 0);
    if (stored === undefined || stored.principal !== principal) throw unknown(handle);
    const answered = replay(handle, stored.calls, cached?.history);
    const outdated = stored.calls.find((call, index) => !isProved(call, answered[index]));
    if (outdated !== undefined) throw differs(handle, outdated.version);
    const history = answered.at(-1)?.history ?? cached?.history;
    if (history === undefined) throw unknown(handle);
    remember(principal, history);
    return history;
  };

  const differs = (encounter: string, version: number): Refusal<"encounter_outdated"> =>
    new Refusal("encounter_outdated", `by the present rules, version ${version} of ${encounter} is another one`, {
      encounter,
      version,
    });

  /** The living party of an ended fight. */
  const readSurvivors = (address: EncounterAddress, { edition }: StartCall["input"]): readonly Creature[] => {
    const before = newestState(load(address));
    if (!before.over) throw new Refusal("encounter_not_over", `${address.handle} was not ended`, undefined);
    if (before.edition !== edition)
      throw new Refusal("other_edition", `${address.handle} was a fight of edition ${before.edition}`, {
        edition: before.edition,
      });
    return before.creatures.filter((creature) => creature.side === "party" && !isDead(creature));
  };

  const stale = (sent: number, current: number): Refusal<"stale_version"> =>
    new Refusal("stale_version", `version ${sent} is not the newest one, which is ${current}`, { sent, current });

  const record = (address: EncounterAddress, call: LaterCall): EncounterAnswer => {
    const before = load(address);
    const { version: sent = before.version } = address;
    if (sent !== before.version) throw stale(sent, before.version);
    if (before.version >= mostCalls && call.type !== "end")
      throw new Refusal("encounter_full", `${address.handle} has ${mostCalls} calls, the most of a fight`, {
        most: mostCalls,
      });
    const { history, answer } = advance(before, call);
    if (!store.append(address.handle, { version: history.version, call, answer: digest(answer) }))
      throw stale(before.version, load(address).version);
    remember(address.principal, history);
    return answer;
  };

  return {
    start(principal, input, dice) {
      const handle = `fight-${randomText(6)}`;
      const survivors =
        input.after === undefined ? undefined : readSurvivors({ handle: input.after, principal }, input);
      const call: EncounterCall = {
        type: "start",
        seed: randomText(16),
        input,
        ...(survivors !== undefined && { survivors }),
        ...(dice !== undefined && { dice }),
      };
      const { history, answer } = begin(handle, call, findMonster);
      store.create(handle, principal, { version: 1, call, answer: digest(answer) });
      remember(principal, history);
      return viewEncounter(handle, 1, newestState(history));
    },
    act(address, action, dice) {
      const answer = record(address, { type: "act", action, ...(dice !== undefined && { dice }) });
      if (!("checkType" in answer)) throw new TypeError("an action has a result");
      return answer;
    },
    change(address, call) {
      const answer = record(address, call);
      if ("checkType" in answer) throw new TypeError("this call rolls no result");
      return answer;
    },
    view(address) {
      const history = load(address);
      return viewEncounter(history.handle, history.version, newestState(history));
    },
    log({ handle, principal }) {
      const stored = store.read(handle, 0);
      if (stored === undefined || stored.principal !== principal) throw unknown(handle);
      const answered = replay(handle, stored.calls);
      const entries = stored.calls.map((entry, index) => {
        const { version, call, answer } = entry;
        const { type, ...rest } = call;
        const happened = describeAnswered(call, answered[index], answered[index - 1]);
        return { version, type, call: rest, answer, proved: isProved(entry, answered[index]), happened };
      });
      return { encounter: handle, proved: entries.every(({ proved }) => proved), entries };
    },
    list: (principal, limit) => store.list(principal, limit).map(summarize),
    odds(address, { actor: name, scene = noScene, question }) {
      const state = newestState(load(address));
      const actor = findActor(state, name);
      const weapon = question.kind === "attack" ? usedWeapon(state, actor, question.intent) : undefined;
      return computeOdds(gameFor(state, actor, scene, weapon), question);
    },
    close: () => store.close(),
  };
};
