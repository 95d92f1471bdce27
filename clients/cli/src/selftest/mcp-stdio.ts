/** MCP servers on stdio, spoken to in lines that are hardly MCP: each request has its one answer, and the end of its input ends the server. */
import { startStdioServer } from "./kernel-process.ts";
import { initialize, judgeAnswers, makeSteps, readAnswers } from "./mcp-messages.ts";
import { Random } from "./random.ts";
import type { StageResult, StageSetup } from "./stage.ts";

/** Servers of the quick run, and the least number of messages that one gets. */
const quick = 2;
const stepsOfOne = 150;

export const mcpStdio = async ({ seed, scale, project, env, corpus }: StageSetup): Promise<StageResult> => {
  const seeds = [...corpus, ...Array.from({ length: quick * scale }, (_, at) => seed + at)];
  const failed = new Map<number, readonly string[]>();
  let messages = 0;
  for (const own of seeds) {
    const steps = makeSteps(new Random(own), stepsOfOne, "kernel_ping");
    const server = startStdioServer({ project, env });
    const last = { jsonrpc: "2.0", id: "last", method: "ping" };
    server.write(JSON.stringify(initialize(0)));
    server.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    for (const step of steps) server.write(step.kind === "noise" ? step.text : JSON.stringify(step.message));
    server.write(JSON.stringify(last));
    messages += steps.length;
    const requests = [
      ...steps,
      { kind: "request", id: 0, message: initialize(0), awaited: true } as const,
      { kind: "request", id: "last", message: last, awaited: true } as const,
    ];
    // The end of its input gives calls a moment to finish, which may be too short for so many on a busy machine.
    const missing = new Set(requests.flatMap((step) => (step.kind === "request" && step.awaited ? step.id : [])));
    await server.readUntil((line) => {
      for (const { id } of readAnswers([line]))
        if (typeof id === "string" || typeof id === "number") missing.delete(id);
      return missing.size === 0;
    });
    const { code, lines, stderr } = await server.end();
    const problems = [
      ...judgeAnswers(requests, readAnswers(lines)),
      ...(code === 0 ? [] : [`it ended with ${code}: ${stderr}`]),
    ];
    if (problems.length > 0) failed.set(own, problems);
  }
  const problems = [...failed].flatMap(([own, found]) => found.map((problem) => `seed ${own}: ${problem}`));
  return {
    name: "MCP on stdio",
    ok: problems.length === 0,
    figures: `${seeds.length} servers, ${messages} messages, ${problems.length} problems`,
    problems,
    seeds: [...failed.keys()],
  };
};
