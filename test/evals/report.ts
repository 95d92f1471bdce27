/** The figures of runs as a table of Markdown, as `docs/bench.md` has it. */
import type { Summary } from "./score.ts";

export interface Row {
  readonly model: string;
  readonly offer: string;
  readonly summary: Summary;
}

const heads = [
  "Model",
  "Tools",
  "Done",
  "Expected calls",
  "Nothing forbidden",
  "Right answer",
  "Found by search",
  "Calls a task",
  "Tokens of definitions",
  "Tokens a done task",
];

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
const whole = (value: number): string =>
  Number.isFinite(value) ? Math.round(value).toLocaleString("en") : "none done";

export const toTable = (rows: readonly Row[]): string =>
  [
    heads,
    heads.map(() => "---"),
    ...rows.map(({ model, offer, summary: s }) => [
      model,
      offer,
      `${s.done} of ${s.tasks}`,
      percent(s.called),
      percent(s.kept),
      percent(s.answered),
      s.recall === undefined ? "" : percent(s.recall),
      s.callsPerTask.toFixed(2),
      whole(s.definitions),
      whole(s.tokensPerDone),
    ]),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
