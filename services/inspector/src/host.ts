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

import { answer } from "./answer/answer.ts";
import { type InspectOptions, inspected } from "./host/inspected.ts";
import { timed } from "./host/timed.ts";
import { inspectionSlot } from "./slot.ts";
import type { Ask, Reply, Tool } from "./worker-message.ts";

export * from "./host/declaration.ts";
export type { InspectOptions } from "./host/inspected.ts";

export interface Inspected {
  /** Asks as a caller of the tool would; for programs that answer by themselves. */
  ask(tool: Tool, input: Readonly<Record<string, unknown>>): Reply;
  /** Takes the objects back: nobody can look at them any more. */
  close(): void;
}

/** What an attached inspector calls, with text in and text out; it may allow less wall time than the program does. */
export interface Attached {
  readonly version: 1;
  readonly answer: (ask: string, wallMs?: number) => string;
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

/** Makes objects visible. A value given as a function is asked for anew with every question. One call per process counts: the last. */
export const inspect = (roots: Readonly<Record<string, unknown>>, options: InspectOptions = {}): Inspected => {
  const { inspection, limits, close } = inspected(roots, options);
  const replyTo = ({ id, tool, input }: Asked, allowedMs = limits.wallMs): Reply => {
    const wallMs = Math.min(allowedMs, limits.wallMs);
    const complete = { id, tool, input: { ...defaults[tool], ...input } };
    return answer(inspection(wallMs), complete, (work) => timed(wallMs * patience, work));
  };
  const attached: Attached = {
    version: 1,
    answer: (text, wallMs) => JSON.stringify(replyTo(JSON.parse(text) as Asked, wallMs)),
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
