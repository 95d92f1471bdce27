/**
 * Two hundred clients at once, each sending what no other sends: nobody ever reads another's. And what becomes of them when the
 * kernel is told to stop while they are at it: every call under way ends with an answer or a typed error, and so does the process.
 */
import { createServer } from "node:net";
import { isWireError } from "@fairlead/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ask, type Caller, callTool, ways } from "./canaries.ts";
import { complaints, openProject, type Project, startTarget, type Target } from "./project.ts";

const clients = 200;
const rounds = 25;

let project: Project;
beforeAll(async () => {
  project = await openProject();
}, 60_000);
afterAll(() => project.remove());

/** The same on every run, and different for every call. */
const askOf = (client: number, round: number, streams: boolean): Ask => {
  const mixed = (client * 7_919 + round * 104_729) % 21;
  // Streams are capped, so few clients follow, and only at times.
  const follows = streams && client < 20 && round % 5 === 4;
  return {
    procedure: follows ? "follow" : round % 3 === 2 ? "refuse" : "echo",
    canary: `canary-${client}-${round}-end`,
    turns: mixed,
  };
};

const canariesIn = (text: string): readonly string[] => [...new Set(text.match(/canary-\d+-\d+-end/g) ?? [])];

describe("two hundred clients at once", () => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget(project);
  }, 60_000);
  afterAll(() => target.remove());

  it("read their own answers and nobody else's", { timeout: 120_000 }, async () => {
    let replies = 0;
    const client = async (index: number): Promise<void> => {
      const way = ways[index % ways.length] ?? expect.fail("no way in");
      const caller = await way.open(target.url);
      for (let round = 0; round < rounds; round += 1) {
        const ask = askOf(index, round, way.streams);
        const text = await answered(caller, ask);
        expect(canariesIn(text), `${way.name}: ${text.slice(0, 500)}`).toEqual([ask.canary]);
        replies += 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
    expect(replies).toBe(clients * rounds);
  });

  it("left nothing behind in the log but their calls", async () => {
    const ended = await target.terminate();
    expect(complaints(ended)).toEqual([]);
    expect(canariesIn(ended.err)).toEqual([]);
  });
});

/** Asks again while a busy kernel sheds load. */
const answered = async (caller: Caller, ask: Ask): Promise<string> => {
  for (;;) {
    const text = await caller.ask(ask);
    if (!text.includes("the kernel is overloaded")) return text;
  }
};

describe("a kernel that is told to stop under load", () => {
  const waiting = 42;

  const inFlight = async ({ url }: Target): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^fairlead_calls_load\{procedure="target\.wait",state="running"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };

  it.each(["SIGTERM", "SIGINT"] as const)(
    "%s: calls end with an answer or a typed error, then the process",
    async (signal) => {
      const target = await startTarget(project);
      try {
        const post = (path: string, body: string) =>
          fetch(`${target.url}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body });
        const askToWait = [
          () => fetch(`${target.url}/api/target/wait`),
          () => post("/trpc/target.wait", "{}"),
          () => callTool(target.url, "wait"),
        ];
        const waits = Array.from({ length: waiting }, async (_, index) => {
          const answer = await askToWait[index % askToWait.length]?.();
          return (await answer?.text()) ?? "";
        });
        await expect.poll(() => inFlight(target), { timeout: 20_000 }).toBe(waiting);

        let isTold = false;
        const load = Array.from({ length: 20 }, async (_, index) => {
          for (let round = 0; ; round += 1) {
            const canary = `canary-${index}-${round}-end`;
            try {
              const answer = await post("/api/target/echo", JSON.stringify({ canary, turns: 20 }));
              const body: unknown = await answer.json();
              if (answer.status === 200) expect(body).toEqual({ canary, turns: 20 });
              else expect(isWireError(body), JSON.stringify(body)).toBe(true);
            } catch (cause) {
              // Nobody listens any more. Nothing else may go wrong, and nothing before the signal.
              if (!(cause instanceof TypeError)) throw cause;
              return isTold;
            }
          }
        });
        target.started.child.kill(signal);
        isTold = true;

        for (const text of await Promise.all(waits)) expect(text).toMatch(/"code":"unavailable".*shutting down/);
        expect(await Promise.all(load)).not.toContain(false);
        expect(await target.started.ended).toMatchObject({ code: signal === "SIGTERM" ? 143 : 130, signal: null });
        expect(complaints(await target.started.ended)).toEqual([]);
        expect(target.started.groupLives()).toBe(false);
        await isFree(target.port);
      } finally {
        await target.remove();
      }
    },
  );
});

const isFree = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(port, "127.0.0.1", () => server.close(() => resolve()));
  });
