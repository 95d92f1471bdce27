/**
 * What `gen` says against odd calls of Zod: a code of ours, the author's line, a reason and a next step, and nothing of our own insides.
 *
 * Not here: the calls (`odd-schemas`).
 */
import type { Diagnostic } from "@fairlead/codegen";
import { type OddCall, oddCalls } from "./odd-schemas.ts";
import { TemporaryProject } from "./project.ts";

const head = `import * as z from "zod";
import { codecs, defineContract, query } from "@fairlead/contracts";
`;

/** The line of the field in each contract. */
const fieldLine = 4;

const contractText = (id: string, { source, comesTo }: OddCall): string => {
  const field = comesTo === "schema" ? `${source}.describe("It")` : source;
  return `${head}export default defineContract({ id: "${id}", version: "1.0.0", summary: "Odd.", procedures: { take: query({ summary: "Takes.", tool: false,
  input: z.object({ it: ${field} }), output: z.int().describe("One"),
}) } });
`;
};

/** A call, and what of a refusal is not as it should be. */
interface Complaint {
  readonly source: string;
  readonly message: string;
  readonly why: string;
}

const ours = /codegen\/src|contracts\/src|node_modules|\n\s+at |report (?:it|a bug|an issue)|internal error/i;

const complaints = ({ message, fix, line, severity }: Diagnostic): readonly string[] => {
  if (severity !== "error") return [];
  return [
    ...(line === fieldLine ? [] : [`its line is ${line}`]),
    ...(message.trim() === "" || fix.trim() === "" ? ["it has no reason or no next step"] : []),
    ...(ours.test(`${message} ${fix}`) ? ["it shows our insides"] : []),
    ...(message.includes("cannot be converted") ? ["it is in words about a converter"] : []),
  ];
};

/** One call in so many, in each of its kinds; all that is wrong with what is said of them. Each is a contract of its own: one that cannot be imported hides the others. */
export const tryOddCalls = async (
  oneIn: number,
): Promise<{ readonly tried: number; readonly refused: number; readonly complaints: readonly Complaint[] }> => {
  using project = new TemporaryProject();
  const calls = oddCalls().filter((_, at) => at % oneIn === 0);
  const byFile = new Map(calls.map((call, at) => [`contracts/odd${at}.contract.js`, call]));
  for (const [file, call] of byFile) project.write(file, contractText(/odd\d+/.exec(file)?.[0] ?? "", call));
  const { diagnostics } = await project.generate();
  const about = diagnostics.filter(({ source, code }) => byFile.has(source) && code !== "service_missing");
  return {
    tried: calls.length,
    refused: new Set(about.filter(({ severity }) => severity === "error").map(({ source }) => source)).size,
    complaints: about.flatMap((each) =>
      complaints(each).map((why) => ({ source: byFile.get(each.source)?.source ?? "", message: each.message, why })),
    ),
  };
};
