/** The self-test's one page, as Markdown: what was done, what was found, and the seeds that give the same run again. */
import { arch, availableParallelism, platform, release, totalmem } from "node:os";
import type { StageResult } from "./stage.ts";

export interface SelftestRun {
  readonly seed: number;
  readonly quick: boolean;
  readonly seconds: number;
  readonly results: readonly StageResult[];
}

export const formatReport = ({ seed, quick, seconds, results }: SelftestRun): string => {
  const failed = results.filter(({ ok }) => !ok);
  const rows = results.map(({ name, ok, figures }) => `| ${name} | ${ok ? "ok" : "FAILED"} | ${figures} |`);
  const problems = failed.flatMap(({ name, problems: found }) => [
    `\n## ${name}\n`,
    ...found.slice(0, 20).map((problem) => `- ${problem.replaceAll("\n", " ").slice(0, 600)}`),
  ]);
  return [
    "# Self-test",
    "",
    `Seed ${seed}${quick ? ", quick" : ""}; ${seconds.toFixed(0)} s; Node ${process.versions.node} on ${platform()} ${release()} ${arch()}, ` +
      `${availableParallelism()} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GB.`,
    "",
    "| part | result | figures |",
    "|---|---|---|",
    ...rows,
    ...problems,
    "",
    `The same again: \`fairlead selftest --seed ${seed}${quick ? " --quick" : ""}\``,
    "",
  ].join("\n");
};
