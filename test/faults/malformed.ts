/**
 * Thousands of malformed requests, over every transport of one kernel: none may crash it, none may be answered with a fault of
 * ours, at length, or not at all. The seed is fixed; a failure prints the request, to be kept as a case of its own.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brokenHttp, sendBytes } from "./broken-http.ts";
import { samples } from "./inputs.ts";
import { badMessage, toolCall } from "./messages.ts";
import { complaints, openProject, type Project, startTarget, type Target } from "./project.ts";
import { requests, type Sent } from "./requests.ts";
import { type Answer, openSender, type Sender } from "./send.ts";
import { openStdio } from "./stdio.ts";

const seed = 20_260_728;
/** Few enough at once that a busy machine sheds none. */
const atOnce = 8;
const mostBytes = 65_536;
/** Milliseconds: far more than anything may block, for machines that stand still now and then. */
const longestPulse = 30_000;
const mostGrowth = 256 * 1_048_576;

let project: Project;
let target: Target;
let sender: Sender;
let session: string;

const openSession = async (): Promise<string> => {
  const answer = await fetch(`${target.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "faults", version: "1" } },
    }),
  });
  await answer.body?.cancel();
  return answer.headers.get("mcp-session-id") ?? expect.fail("no session");
};

/** Works through generated cases with a few workers, and fails with the first case that fails. */
const drive = async <T>(cases: readonly T[], check: (each: T) => Promise<void>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < cases.length; at = next++) {
      const each = cases[at];
      if (each === undefined) return;
      await check(each).catch((cause: unknown) => {
        next = cases.length;
        throw new Error(`case ${at} of seed ${seed}: ${shown(each)}`, { cause });
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

const shown = (each: unknown): string => JSON.stringify(each).slice(0, 2_000);

/** Whole documents, which are as long as they are. */
const isDocument = ({ path }: Sent, { status }: Answer): boolean =>
  status === 200 && /^\/(openapi\.json|schema\/|metrics|verbs\.json)/.test(path);

const judge = (sent: Sent, answer: Answer): void => {
  const { status, type, text } = answer;
  expect(status).toBeGreaterThanOrEqual(200);
  const isShed = status === 503 && text.includes("the kernel is overloaded");
  expect(status < 500 || isShed, `${status} ${text.slice(0, 500)}`).toBe(true);
  if (!isDocument(sent, answer)) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(mostBytes);
  expect(text).not.toMatch(/node_modules|\bat \S+ \(|node:internal/);
  if (status >= 400 && sent.path.startsWith("/api/") && sent.method !== "HEAD") {
    expect(type).toBe("application/problem+json");
    const { code, detail, issues = [] } = JSON.parse(text);
    expect({ code, detail }).toEqual({ code: expect.any(String), detail: expect.any(String) });
    expect(issues.length).toBeLessThanOrEqual(20);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096 + 512);
  }
};

const isHealthy = async (): Promise<void> => {
  const answer = await fetch(`${target.url}/api/target/sum?a=40&b=2`);
  expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: "42" });
};

/** How many of each kind. */
export interface Counts {
  readonly http: number;
  readonly sockets: number;
  readonly stdio: number;
}

export const testMalformed = (counts: Counts): void => {
  beforeAll(async () => {
    project = await openProject();
    target = await startTarget(project);
    sender = openSender(target.port, atOnce);
    session = await openSession();
  });

  afterAll(async () => {
    sender.close();
    await target.remove();
    await project.remove();
  });

  describe("a kernel", () => {
    it("knows every procedure that is attacked", async () => {
      const listed = await (await fetch(`${target.url}/openapi.json`)).text();
      for (const { name } of samples) expect(listed).toContain(`"operationId":"${name}"`);
    });

    it(`answers ${counts.http} malformed requests over HTTP, tRPC and MCP`, async () => {
      const cases = fc.sample(requests(session), { seed, numRuns: counts.http });
      const warmUp = cases.slice(0, Math.min(1_000, counts.http / 4));
      await drive(warmUp, async (sent) => judge(sent, await sender.send(sent)));
      const before = await target.memory();
      let sentSoFar = 0;
      let wait = 0;
      await drive(cases.slice(warmUp.length), async (sent) => {
        judge(sent, await sender.send(sent));
        if (++sentSoFar % 100 === 0) wait = Math.max(wait, await target.pulse());
      });
      const growth = (await target.memory()) - before;
      console.info(`longest wait ${Math.round(wait)} ms, memory grew by ${Math.round(growth / 1_048_576)} MB`);
      expect(wait).toBeLessThan(longestPulse);
      expect(growth).toBeLessThan(mostGrowth);
      await isHealthy();
    });

    it(`closes ${counts.sockets} connections that hardly speak HTTP`, async () => {
      await drive(fc.sample(brokenHttp, { seed, numRuns: counts.sockets }), async (text) => {
        const answer = await sendBytes(target.port, text);
        const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
        expect(answer === "" || statuses.length > 0).toBe(true);
        for (const status of statuses) expect(status).toBeLessThan(500);
        expect(answer.length).toBeLessThanOrEqual(mostBytes);
      });
      await isHealthy();
    });

    it("complained of nothing, and ends on request", async () => {
      const ended = await target.terminate();
      expect(ended).toMatchObject({ code: 143, signal: null });
      expect(complaints(ended)).toEqual([]);
      expect(target.started.groupLives()).toBe(false);
    });
  });

  describe("MCP on stdio", () => {
    it(`takes ${counts.stdio} malformed lines, and answers in protocol only`, async () => {
      const line = fc.oneof(
        { weight: 3, arbitrary: toolCall.map((message) => JSON.stringify(message)) },
        { weight: 3, arbitrary: badMessage.map((message) => JSON.stringify(message) ?? "") },
        { weight: 1, arbitrary: fc.string().map((text) => text.replaceAll("\n", "")) },
        { weight: 1, arbitrary: toolCall.map((message) => JSON.stringify(message).slice(0, -1)) },
        {
          weight: 1,
          arbitrary: fc.constantFrom("[]", "[[]]", "null", "\u0000", "{".repeat(500), `"${"x".repeat(5_000)}"`),
        },
      );
      const stdio = openStdio(project.command);
      try {
        await stdio.write(fc.sample(line, { seed, numRuns: counts.stdio }));
        const call = { name: "sum", arguments: { a: 40, b: 2 } };
        expect(await stdio.ask("tools/call", call)).toMatchObject({ result: { structuredContent: { value: 42 } } });
        for (const answered of stdio.lines()) {
          expect(JSON.parse(answered)).toMatchObject({ jsonrpc: "2.0" });
          expect(answered.length).toBeLessThanOrEqual(mostBytes);
        }
        expect(stdio.lines().length).toBeGreaterThan(counts.stdio / 4);
      } finally {
        stdio.end();
      }
      const ended = await stdio.ended;
      expect(ended.code).toBe(0);
      expect(complaints(ended)).toEqual([]);
    });
  });
};
