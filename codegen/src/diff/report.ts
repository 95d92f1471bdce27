/** A comparison of releases in words: for a terminal, and in Markdown for a pull request. Pure. */
import { type ChangeVerdict, type ReleaseChange, type Surface, surfaces, worst } from "./change.ts";
import type { ReleaseComparison, VersionAdvice } from "./compare.ts";

const verdicts: readonly ChangeVerdict[] = ["breaking", "warning", "compatible"];

/** The worst verdict for each surface that something changed on. */
export const surfaceVerdicts = (changes: readonly ReleaseChange[]): Readonly<Partial<Record<Surface, ChangeVerdict>>> =>
  Object.fromEntries(
    surfaces.flatMap((surface) => {
      const on = changes.filter((each) => each.surfaces.includes(surface));
      return on.length === 0 ? [] : [[surface, worst(on)]];
    }),
  );

const surfaceNames: Readonly<Record<Surface, string>> = {
  http: "HTTP",
  trpc: "tRPC",
  mcp: "MCP",
  typescript: "TypeScript",
  python: "Python",
  cli: "CLI",
};

const surfaceList = (list: readonly Surface[]): string =>
  list.length === surfaces.length ? "all" : list.map((each) => surfaceNames[each]).join(", ");

const sorted = (changes: readonly ReleaseChange[]): readonly ReleaseChange[] =>
  verdicts.flatMap((verdict) => changes.filter((each) => each.verdict === verdict));

/** A version that is high enough needs no words. */
const versionText = ({ service, before, after, bump, needed }: VersionAdvice): string =>
  `${service}: the changes ask for ${needed} (${bump}), and the version ${before === after ? `is still ${after}` : `went from ${before} to ${after}`}`;

const tooLow = ({ versions }: ReleaseComparison): readonly VersionAdvice[] => versions.filter(({ enough }) => !enough);

/** A comparison as text for a terminal. */
export const comparisonText = (comparison: ReleaseComparison): string => {
  const { changes } = comparison;
  if (changes.length === 0) return "nothing changed for any caller";
  const lines = sorted(changes).flatMap(({ verdict, where, message, witness, surfaces: on }) => [
    `${verdict.padEnd(10)}  ${where}: ${message} (${surfaceList(on)})`,
    ...(witness === undefined ? [] : [`            worked before: ${witness}`]),
  ]);
  const sums = verdicts.map((verdict) => `${changes.filter((each) => each.verdict === verdict).length} ${verdict}`);
  return [...lines, sums.join(", "), ...tooLow(comparison).map(versionText)].join("\n");
};

/** The same as Markdown, for a changelog or a pull request. */
export const comparisonMarkdown = (comparison: ReleaseComparison): string => {
  const { changes } = comparison;
  if (changes.length === 0) return "Nothing changed for any caller.";
  const bySurface = Object.entries(surfaceVerdicts(changes)).map(
    ([surface, verdict]) => `| ${surfaceNames[surface as Surface]} | ${verdict} |`,
  );
  const rows = sorted(changes).map(
    ({ verdict, where, message, witness, surfaces: on }) =>
      `| ${verdict} | \`${cell(where)}\` | ${cell(message)} | ${surfaceList(on)} | ${witness === undefined ? "" : `\`${cell(witness)}\``} |`,
  );
  return [
    "| Surface | Verdict |",
    "|---|---|",
    ...bySurface,
    "",
    "| Verdict | Where | What | For | Worked before |",
    "|---|---|---|---|---|",
    ...rows,
    ...tooLow(comparison).flatMap((each) => ["", versionText(each)]),
  ].join("\n");
};

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("`", "'");
