/**
 * A kernel that is told to stop while clients are at it: every call under way ends with an answer or a typed error, and so does the
 * process.
 */
import { isWireError } from "@fairlead/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool } from "./canaries.ts";
import { complaints, openProject, type Project, startTarget, type Target } from "./project.ts";

let project: Project;
beforeAll(async () => {
  project = await openProject();
});
afterAll(() => project.remove());

describe("a kernel that is stopped under load", () => {
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
        await expect.poll(() => inFlight(target)).toBe(waiting);

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
      } finally {
        await target.remove();
      }
    },
  );
});
