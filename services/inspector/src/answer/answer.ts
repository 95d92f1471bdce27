/** Runs one tool and turns its failure into data. Anything but our own error is a defect, reported by its text. */
import type { Resumable } from "@fairlead/linq";
import type { ToolCall, ToolName, ToolReply } from "../protocol/message.ts";
import type { EvalInput, ExploreInput, Inspection, QueryInput } from "./inspection.ts";
import { type AllowedPause, allowsPause, withPause } from "./pause.ts";
import { toFailedReply } from "./problem.ts";

/** Answers a question; it may be left alone between two steps. */
export const answerCall = function* (
  inspection: Inspection,
  { id, tool, input }: ToolCall,
  pause: AllowedPause,
): Resumable<ToolReply> {
  try {
    const answer = yield* runTool(inspection, tool, input);
    return { id, ok: true, value: allowsPause(input) ? withPause(tool, answer, pause) : answer };
  } catch (error) {
    return toFailedReply(error, { id, tool });
  }
};

/** The named boundary: inputs were decoded by the contract before they came here. */
const runTool = function* (inspection: Inspection, tool: ToolName, input: unknown): Resumable<unknown> {
  switch (tool) {
    case "explore":
      return yield* inspection.explore(input as ExploreInput);
    case "eval":
      return yield* inspection.eval(input as EvalInput);
    case "query":
      return yield* inspection.query(input as QueryInput);
  }
};
