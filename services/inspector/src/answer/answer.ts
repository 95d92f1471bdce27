/** Runs one tool and turns its failure into data. Anything but our own error is a defect, told by its text. */
import type { Turns } from "@fairlead/linq";
import type { Ask, Reply, Tool } from "../protocol/message.ts";
import type { EvalInput, ExploreInput, Inspection, QueryInput } from "./inspection.ts";
import { failed } from "./problem.ts";

/** Answers a question; it may be left alone between two steps. */
export const answer = function* (inspection: Inspection, { id, tool, input }: Ask): Turns<Reply> {
  try {
    return { id, ok: true, value: yield* run(inspection, tool, input) };
  } catch (error) {
    return failed(error, { id, tool });
  }
};

/** The named boundary: inputs were decoded by the contract before they came here. */
const run = function* (inspection: Inspection, tool: Tool, input: unknown): Turns<unknown> {
  switch (tool) {
    case "explore":
      return inspection.explore(input as ExploreInput);
    case "eval":
      return inspection.eval(input as EvalInput);
    case "query":
      return yield* inspection.query(input as QueryInput);
  }
};
