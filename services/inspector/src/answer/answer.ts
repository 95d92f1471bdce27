/** Runs one tool and turns its failure into data. Anything but our own error is a defect, told by its text. */
import type { EvalInput, ExploreInput, Inspection, QueryInput } from "../inspection.ts";
import { LinqError, QueryError } from "../linq/index.ts";
import type { Ask, Problem, Reply, Tool } from "../worker-message.ts";

type Around = (work: () => unknown) => unknown;

/** `around` runs the tool; a host sets a limit on time there. */
export const answer = (inspection: Inspection, { id, tool, input }: Ask, around: Around = (work) => work()): Reply => {
  try {
    return { id, ok: true, value: around(() => run(inspection, tool, input)) };
  } catch (error) {
    if (error instanceof LinqError) return { id, ok: false, problem: problemOf(error, tool) };
    return { id, ok: false, defect: error instanceof Error ? (error.stack ?? error.message) : "unknown" };
  }
};

/** The named boundary: inputs were decoded by the contract before they came here. */
const run = (inspection: Inspection, tool: Tool, input: unknown): unknown => {
  switch (tool) {
    case "explore":
      return inspection.explore(input as ExploreInput);
    case "eval":
      return inspection.eval(input as EvalInput);
    case "query":
      return inspection.query(input as QueryInput);
  }
};

const parts = { explore: "target", eval: "expr", query: "from" } as const;

/** A failure of the language as data. */
export const problemOf = (error: LinqError, tool: Tool): Problem => ({
  code: error.code,
  message: error.message,
  position: Math.max(0, error.position),
  length: error.length,
  caret: error.caret(),
  part: error instanceof QueryError ? error.part : parts[tool],
  ...(error.hint === undefined ? {} : { hint: error.hint }),
});
