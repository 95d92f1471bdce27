/** Renders the table as Markdown: a diagram of the phases and every cell. `docs/machine.md` is its output; a test compares. */
import { eventTypes } from "../state/event.ts";
import { isTerminal, phases, workPhases } from "../state/phase.ts";
import { guards } from "./guard.ts";
import { type TransitionRule, table } from "./table.ts";

export const tableDocument = (): string =>
  [
    "# The session machine",
    "",
    "Written from `src/machine/table.ts` by `npm run docs`; a test fails when the two differ. The rules of a cell are tried from top",
    "to bottom. *again* puts the same event to the next phase as well. Terminal phases absorb every event.",
    "",
    "## Diagram",
    "",
    "```mermaid",
    "stateDiagram-v2",
    "  [*] --> SCOUT",
    ...arrows(),
    ...phases.filter(isTerminal).map((phase) => `  ${phase} --> [*]`),
    "```",
    "",
    ...workPhases.flatMap((phase) => section(phase)),
    "## Terminal phases",
    "",
    `${phases.filter(isTerminal).join(", ")}: every event is absorbed and the phase stays. \`SESSION_END\` closes what is open.`,
    "",
  ].join("\n");

/** One arrow for each pair of phases, labelled with the events that can take it. */
const arrows = (): readonly string[] => {
  const labels = new Map<string, Set<string>>();
  for (const from of workPhases) {
    for (const event of eventTypes) {
      for (const { next } of table[from][event]) {
        if (next === "same" || next === from) continue;
        const arrow = `  ${from} --> ${next}`;
        labels.set(arrow, (labels.get(arrow) ?? new Set()).add(event));
      }
    }
  }
  return [...labels].map(([arrow, events]) => `${arrow}: ${[...events].join(", ")}`);
};

const section = (phase: (typeof workPhases)[number]): readonly string[] => {
  const quiet = eventTypes.filter((event) => isQuiet(table[phase][event]));
  return [
    `## ${phase}`,
    "",
    "| Event | When | Next | Actions |",
    "|---|---|---|---|",
    ...eventTypes
      .filter((event) => !quiet.includes(event))
      .flatMap((event) => table[phase][event].map((rule, index) => line(index === 0 ? event : "", rule))),
    "",
    ...(quiet.length === 0 ? [] : [`Noted, without effect: ${quiet.join(", ")}.`, ""]),
  ];
};

const isQuiet = (cell: readonly TransitionRule[]): boolean =>
  cell.length === 1 && cell[0]?.next === "same" && cell[0].run.join() === "note";

const line = (event: string, { when, next, run, again }: TransitionRule): string =>
  `| ${event} | ${guards[when].when} | ${next}${again === true ? ", *again*" : ""} | ${run.join(", ")} |`;
