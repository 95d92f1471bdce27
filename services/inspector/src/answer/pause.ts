/** For a question that may stop the program: at how long that was estimated before, and for how long it really did. */
import type { Json } from "../encode/encode.ts";
import type { NameReader } from "../host/names.ts";
import type { ToolName } from "../protocol/message.ts";
import type { SliceClock } from "./slice-clock.ts";

/** Where the caller allowed a pause. */
export interface AllowedPause {
  readonly names: Pick<NameReader, "estimatedMs">;
  readonly clock: Pick<SliceClock, "longest">;
}

/** True when the caller of a tool allows what stops the program. */
export const allowsPause = (input: unknown): boolean =>
  typeof input === "object" && input !== null && "pause" in input && input.pause === true;

/** The answer of a tool with its pause: a field of it, or beside the value of `eval`. */
export const withPause = (tool: ToolName, answer: unknown, { names, clock }: AllowedPause): unknown => {
  const pause = { estimatedMs: names.estimatedMs, measuredMs: Math.ceil(clock.longest()) };
  return tool === "eval" ? { value: answer as Json, pause } : { ...(answer as object), pause };
};
