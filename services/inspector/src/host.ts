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
import { toFailedReply } from "./answer/problem.ts";
import { lowerLimits } from "./host/lower-limits.ts";
import { runWithTimeLimit } from "./host/time-limit.ts";
import type { ToolCall, ToolName, ToolReply } from "./protocol/message.ts";
import { registrationKey } from "./protocol/registration.ts";
import { createLocalInspection, type InspectOptions } from "./registered/local-inspection.ts";
import type { RegisteredInspector, TimeAllowance } from "./registered/registered-inspector.ts";
import { createSlices } from "./registered/slices.ts";

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

/** Only a query has breaks. All else ends itself a little before it is ended, so that it can say where it was. */
const wallTime = (tool: ToolName, { wallMs, holdMs }: TimeAllowance): number =>
  tool === "query" ? wallMs : Math.min(wallMs, Math.ceil(holdMs * 0.8));

/** Makes objects visible. A root that is a function is called again for every question. Of several calls in a process the last one counts. */
export const inspect = (roots: Readonly<Record<string, unknown>>, options: InspectOptions = {}): InspectionHandle => {
  const { inspection, limits, close } = createLocalInspection(roots, options);
  const replying = ({ id, tool, input }: HostCall, allowed: Limits): Resumable<ToolReply> =>
    answerCall(inspection(allowed), { id, tool, input: { ...defaults[tool], ...input } });
  const replyTo = (ask: HostCall): ToolReply => {
    const allowed = lowerLimits(limits, ask.limits);
    try {
      return runWithTimeLimit(allowed.wallMs + hostCodeGraceMs, () => runToEnd(replying(ask, allowed)));
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
      const allowed = { ...sent, wallMs: Math.min(sent.wallMs, wallTime(ask.tool, time)) };
      const work = function* (): Resumable<string> {
        return JSON.stringify(yield* replying(ask, allowed));
      };
      return createSlices(work(), {
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
