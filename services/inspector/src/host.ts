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

import { type Resumable, runToEnd } from "@fairlead/linq";
import type { Limits } from "@fairlead/linq/limits";
import { answerCall } from "./answer/answer.ts";
import { writeJson } from "./answer/json-text.ts";
import { allowsPause } from "./answer/pause.ts";
import { toFailedReply } from "./answer/problem.ts";
import { SliceClock } from "./answer/slice-clock.ts";
import { createSlices } from "./answer/slices.ts";
import { lowerLimits } from "./host/lower-limits.ts";
import { NameReader } from "./host/names.ts";
import { runWithTimeLimit } from "./host/time-limit.ts";
import type { ToolCall, ToolName, ToolReply } from "./protocol/message.ts";
import type { RegisteredInspector } from "./protocol/registered-inspector.ts";
import { registrationKey } from "./protocol/registration.ts";
import { createLocalInspection, type InspectOptions } from "./registered/local-inspection.ts";

export * from "./host/declaration.ts";
export type { RedactionOptions } from "./host/redaction.ts";
export type { InspectOptions } from "./registered/local-inspection.ts";

/** Objects of this process that an inspector can read. */
export interface InspectionHandle {
  /** Answers a call of a tool; for programs that serve the tools by themselves. */
  ask(tool: ToolName, input: Readonly<Record<string, unknown>>): ToolReply;
  /** Removes the objects: no inspector can read them any more. */
  close(): void;
}

const defaults: Readonly<Record<ToolName, Readonly<Record<string, unknown>>>> = {
  explore: { target: "", depth: 1, includePrivate: true, limit: 50, offset: 0 },
  eval: { depth: 2 },
  query: {},
};

interface HostCall extends ToolCall {
  readonly input: Readonly<Record<string, unknown>>;
}

/** A question ends itself at its wall time; the host's code in it is ended so many milliseconds later. */
const hostCodeGraceMs = 50;

/** Makes objects visible. A root that is a function is called again for every question. Of several calls in a process the last one counts. */
export const inspect = (roots: Readonly<Record<string, unknown>>, options: InspectOptions = {}): InspectionHandle => {
  const { inspection, limits, close } = createLocalInspection(roots, options);
  const replying = ({ id, tool, input }: HostCall, allowed: Limits, clock: SliceClock): Resumable<ToolReply> => {
    const names = new NameReader({ isAllowed: allowsPause(input) });
    const ask = { id, tool, input: { ...defaults[tool], ...input } };
    return answerCall(inspection({ limits: allowed, clock, names }), ask, { names, clock });
  };
  const replyTo = (ask: HostCall): ToolReply => {
    const allowed = lowerLimits(limits, ask.limits);
    const clock = new SliceClock();
    clock.begin(Number.POSITIVE_INFINITY);
    try {
      return runWithTimeLimit(allowed.wallMs + hostCodeGraceMs, () => runToEnd(replying(ask, allowed, clock)));
    } catch (error) {
      return toFailedReply(error, ask);
    }
  };
  const attached: RegisteredInspector = {
    version: 1,
    answer: (text) => JSON.stringify(replyTo(JSON.parse(text) as HostCall)),
    start: (text, time) => {
      const ask = JSON.parse(text) as HostCall;
      const sent = lowerLimits(limits, ask.limits);
      const allowed = { ...sent, wallMs: Math.min(sent.wallMs, time.wallMs) };
      const clock = new SliceClock();
      const work = function* (): Resumable<string> {
        return yield* writeJson(yield* replying(ask, allowed, clock), clock);
      };
      return createSlices(work(), {
        clock,
        holdMs: time.holdMs,
        failed: (error) => JSON.stringify(toFailedReply(error, ask)),
      });
    },
  };
  Object.defineProperty(globalThis, registrationKey, { value: attached, configurable: true, enumerable: false });
  return {
    ask: (tool, input) => replyTo({ id: 0, tool, input }),
    close: () => {
      close();
      if (Reflect.get(globalThis, registrationKey) === attached) Reflect.deleteProperty(globalThis, registrationKey);
    },
  };
};
