/** MCP clients of the session era over HTTP: ids that repeat, cancellations that race, order, sessions that end in the midst of their calls. */
import { initialize, judgeAnswers, type McpStep, makeSteps, readAnswers } from "./mcp-messages.ts";
import { Random } from "./random.ts";
import { longestMs } from "./send.ts";
import { each, type StageResult, type StageSetup } from "./stage.ts";

/** Sessions of the quick run, and the least that one sends. */
const quick = 60;
const stepsOfOne = 12;
const tool = "selftest_echo";

interface PostResult {
  readonly status: number;
  readonly session: string | undefined;
  readonly texts: readonly string[];
}

export const mcpSessions = async ({ seed, scale, start, corpus }: StageSetup): Promise<StageResult> => {
  const kernel = await start();
  const seeds = [...corpus, ...Array.from({ length: quick * scale }, (_, at) => seed + at)];
  const failed = new Map<number, string>();
  let messages = 0;
  await each(seeds.length, {
    atOnce: 4,
    work: async (at) => {
      const own = seeds[at] ?? seed;
      const random = new Random(own);
      const steps = makeSteps(random, stepsOfOne, tool);
      messages += steps.length;
      const problems = await runSession(`http://127.0.0.1:${kernel.port}/mcp`, steps, random).catch(
        (cause: unknown) => [`no end: ${cause instanceof Error ? cause.message : String(cause)}`],
      );
      if (problems.length > 0) failed.set(own, problems.join("; "));
    },
  });
  const code = await kernel.end("SIGTERM");
  const problems = [
    ...[...failed].map(([own, what]) => `seed ${own}: ${what}`),
    ...(code === 0 ? [] : [`the kernel ended with ${code}: ${kernel.stderr()}`]),
  ];
  return {
    name: "MCP sessions",
    ok: problems.length === 0,
    figures: `${seeds.length} sessions, ${messages} messages, ${failed.size} failed`,
    problems,
    seeds: [...failed.keys()],
  };
};

/** What was wrong with one session. Every third is ended while its calls run: what comes of these is open, but a fault of ours. */
const runSession = async (url: string, steps: readonly McpStep[], random: Random): Promise<readonly string[]> => {
  const opened = await post(url, JSON.stringify(initialize(0)));
  if (opened.session === undefined) return [`no session: ${opened.status}`];
  const { session } = opened;
  const isCut = random.below(3) === 0;
  const inOrder = random.below(2) === 0;
  const results: PostResult[] = [];
  const send = async (step: McpStep): Promise<void> => {
    results.push(await post(url, step.kind === "noise" ? step.text : JSON.stringify(step.message), session));
  };
  const sent: Promise<void>[] = [];
  for (const step of steps) {
    const sending = send(step);
    sent.push(sending);
    if (inOrder) await sending;
  }
  if (isCut) await remove(url, session);
  await Promise.all(sent);
  const wrong = await post(url, JSON.stringify(initialize(1)), "no-such-session");
  if (!isCut) await remove(url, session);
  const faults = [...results, wrong].filter(({ status }) => status >= 500).map(({ status }) => `status ${status}`);
  const answers = readAnswers(results.flatMap(({ texts }) => texts));
  const found = judgeAnswers(steps, answers);
  return [...faults, ...(isCut ? found.filter((problem) => problem.startsWith("a fault")) : found)];
};

const remove = (url: string, session: string): Promise<unknown> =>
  fetch(url, { method: "DELETE", headers: { "mcp-session-id": session, connection: "close" } });

const post = async (url: string, body: string, session?: string): Promise<PostResult> => {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      connection: "close",
      ...(session !== undefined && { "mcp-session-id": session }),
    },
    body,
    signal: AbortSignal.timeout(longestMs),
  });
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const events = [...text.matchAll(/^data: ?(\{.*)$/gm)].flatMap(([, data]) => data ?? []);
  return {
    status: response.status,
    session: response.headers.get("mcp-session-id") ?? undefined,
    texts: isStream ? events : isJson && text !== "" ? [text] : [],
  };
};
