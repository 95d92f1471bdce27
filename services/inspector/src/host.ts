/**
 * The host's side: name the objects that may be looked at, from any Node program.
 *
 * Three lines: import `inspect` from this package's `./host`, name the objects, carry on.
 *     inspect({ Player, Entities });
 *
 * Undeclared objects are read by their own data properties only; nothing of theirs runs. Types that are declared add getters and
 * methods that the host says change nothing. A Fairlead inspector in the same process, or one attached by `--inspect`, then
 * answers explore, eval and query about them.
 */

import { finished, type Turns } from "@fairlead/linq";
import { answer } from "./answer/answer.ts";
import { failed } from "./answer/problem.ts";
import { timed } from "./host/timed.ts";
import type { Ask, Reply, Tool } from "./protocol/message.ts";
import { inspectionSlot } from "./protocol/registration.ts";
import type { Allowed, Attached } from "./registered/attached.ts";
import { type InspectOptions, inspected } from "./registered/inspected.ts";
import { sliced } from "./registered/slices.ts";

export * from "./host/declaration.ts";
export type { InspectOptions } from "./registered/inspected.ts";

export interface Inspected {
  /** Asks as a caller of the tool would; for programs that answer by themselves. */
  ask(tool: Tool, input: Readonly<Record<string, unknown>>): Reply;
  /** Takes the objects back: nobody can look at them any more. */
  close(): void;
}

const defaults: Readonly<Record<Tool, Readonly<Record<string, unknown>>>> = {
  explore: { target: "", depth: 1, includePrivate: true, limit: 50, offset: 0 },
  eval: { depth: 2 },
  query: {},
};

interface Asked extends Ask {
  readonly input: Readonly<Record<string, unknown>>;
}

/** A question ends itself at its wall time; the host's code in it is ended after this many times as much. */
const patience = 2;

/** Only a query has breaks. All else ends itself a little before it is ended, so that it can say where it was. */
const wallOf = (tool: Tool, { wallMs, holdMs }: Allowed): number =>
  tool === "query" ? wallMs : Math.min(wallMs, Math.ceil(holdMs * 0.8));

/** Makes objects visible. A value given as a function is asked for anew with every question. One call per process counts: the last. */
export const inspect = (roots: Readonly<Record<string, unknown>>, options: InspectOptions = {}): Inspected => {
  const { inspection, limits, close } = inspected(roots, options);
  const replying = ({ id, tool, input }: Asked, wallMs: number): Turns<Reply> =>
    answer(inspection(wallMs), { id, tool, input: { ...defaults[tool], ...input } });
  const replyTo = (ask: Asked): Reply => {
    try {
      return timed(limits.wallMs * patience, () => finished(replying(ask, limits.wallMs)));
    } catch (error) {
      return failed(error, ask);
    }
  };
  const attached: Attached = {
    version: 1,
    answer: (text) => JSON.stringify(replyTo(JSON.parse(text) as Asked)),
    start: (text, time) => {
      const ask = JSON.parse(text) as Asked;
      const work = function* (): Turns<string> {
        return JSON.stringify(yield* replying(ask, wallOf(ask.tool, time)));
      };
      return sliced(work(), { holdMs: time.holdMs, failed: (error) => JSON.stringify(failed(error, ask)) });
    },
  };
  Object.defineProperty(globalThis, inspectionSlot, { value: attached, configurable: true, enumerable: false });
  return {
    ask: (tool, input) => replyTo({ id: 0, tool, input }),
    close: () => {
      close();
      if (Reflect.get(globalThis, inspectionSlot) === attached) Reflect.deleteProperty(globalThis, inspectionSlot);
    },
  };
};
