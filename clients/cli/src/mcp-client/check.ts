/** Proves an entry by a handshake, and says the result in words. */
import { version } from "@fairlead/kernel/owner";
import type { Context } from "../command/context.ts";
import { ownBin } from "./choice.ts";
import type { FileScope, Places } from "./clients.ts";
import { readLaunch } from "./launch.ts";
import type { ProbeReport } from "./probe.ts";

/** Milliseconds; a first start compiles. */
const usualTimeout = 60_000;

interface CheckedPlace {
  readonly scope: FileScope;
  readonly places: Places;
}

/** Clients start the servers of a project in its folder, and the user's own anywhere. */
export const checkEntry = async (
  context: Context,
  entry: unknown,
  { scope, places }: CheckedPlace,
): Promise<ProbeReport> => {
  const token = context.token();
  const env = { ...context.io.env, ...(token !== undefined && { FAIRLEAD_TOKEN: token }) };
  const launch = readLaunch(entry, env);
  if (launch === undefined) return { ok: false, fault: "it names neither a program nor an address" };
  // A project's file may be somebody else's work: only this very program is started of it.
  if (scope === "project" && launch.kind === "program" && !isThisProgram(launch.command, launch.args))
    return { ok: false, fault: `not started: it names another program than this one, ${launch.command}` };
  const { probe } = await import("./probe.ts");
  const cwd = scope === "project" ? places.project : places.home;
  return probe(launch, { cwd, version, timeoutMs: context.timeoutMs ?? usualTimeout, signal: context.io.signal });
};

const isThisProgram = (command: string, [first]: readonly string[]): boolean =>
  (command === process.execPath && first === ownBin()) ||
  (command === "npx" && /^fairlead(?:@[\w.^~-]+)?$/.test(first ?? ""));

export const reportWords = (report: ProbeReport): string =>
  report.ok
    ? `answered: ${report.tools} ${report.tools === 1 ? "tool" : "tools"}, MCP ${report.revision}, ${report.ms} ms`
    : report.fault;
