/**
 * Small requests that ask for much work or a long answer: large arrays of wrong items, unions in unions, depth without end, members
 * named twice. The kernel refuses each at once and briefly, over every transport, and lives on meanwhile.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaints, openProject, type Project, startTarget, type Target } from "./project.ts";

const mostBytes = 65_536;
/** Of one error, with the little that a transport puts around it. */
const errorBytes = 4_096 + 512;
/** Milliseconds in which the kernel answers; other work may hold the machine. What costs too much shows in its CPU time. */
const longest = 60_000;
const mostMemory = 640 * 1_048_576;
/** Milliseconds of the kernel's CPU time for one refusal, once it is warm. What this guards against took half a minute. */
const mostCpu = 500;
/** Times to try for it: what is measured is the work, not the machine's mood. */
const tries = 8;

let project: Project;
let target: Target;

const envelope = JSON.stringify({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "faults", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sent again while the kernel sheds load, which an attack on its event loop may make it do. */
const post = async (path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> => {
  for (;;) {
    const answer = await fetch(`${target.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body,
      signal: AbortSignal.timeout(longest),
    });
    const text = await answer.text();
    if (answer.status !== 503) return { status: answer.status, text };
    await target.pulse();
  }
};

/** The ways in, for an input that is given as text. */
const ways: readonly (readonly [name: string, send: (procedure: string, text: string) => Promise<Answer>])[] = [
  ["HTTP", (procedure, text) => post(`/api/target/${procedure}`, text)],
  ["tRPC", (procedure, text) => post(`/trpc/target.${procedure}`, text)],
  [
    "MCP",
    (procedure, text) =>
      post(
        "/mcp",
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${procedure}","arguments":${text},"_meta":${envelope}}}`,
        { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": procedure },
      ),
  ],
];

const times = <T>(length: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, at) => make(at));
const wrongPicks = (picks: number, each: number): string =>
  JSON.stringify({ picks: times(picks, () => ({ c0: "x", of: times(each, () => ({ a0: "x" })) })) });

const attacks: readonly (readonly [name: string, procedure: string, text: string])[] = [
  ["400 KB of items that are no objects", "rows", JSON.stringify({ rows: times(100_000, () => "x") })],
  [
    "400 KB of objects, each wrong three times",
    "rows",
    JSON.stringify({ rows: times(13_000, () => ({ id: "x", name: 1, tags: 3 })) }),
  ],
  ["many wrong members of a union of thirty in a union of thirty", "pick", wrongPicks(300, 10)],
  ["one that holds many", "pick", wrongPicks(1, 10_000)],
  [
    "400 KB of wrong members of a union in Zod 3",
    "elder",
    JSON.stringify({ items: times(28_000, () => ({ kind: "no" })) }),
  ],
  [
    "ten thousand members with wrong values",
    "rows",
    JSON.stringify({ rows: [], extra: Object.fromEntries(times(9_999, (at) => [`${"k".repeat(40)}${at}`, "x"])) }),
  ],
  ["a million arrays in each other", "rows", "[".repeat(1_000_000)],
  ["objects in each other, 200,000 deep", "grow", '{"a":'.repeat(200_000)],
  ["a tree that is too deep", "grow", `{"tree":${'{"value":1,"left":'.repeat(5_000)}1${"}".repeat(5_001)}`],
  ["a member named twice", "set", '{"value":1,"value":2}'],
  ["a member named ten thousand times", "set", `{${times(10_000, () => '"value":1').join(",")}}`],
  ["a name of half a megabyte", "set", `{"${"k".repeat(500_000)}":1}`],
  ["a number of half a megabyte", "set", `{"value":${"9".repeat(500_000)}}`],
  ["half a megabyte of escapes", "set", `{"value":"${"\\u0000".repeat(80_000)}"}`],
  ["half a megabyte of spaces before an error", "set", `{${" ".repeat(500_000)}]`],
];

/** The tests of the attacks that are selected, by their place and their transport's, on a kernel of their own. */
export const testAmplification = (isSelected: (attack: number, transport: number) => boolean): void => {
  beforeAll(async () => {
    project = await openProject();
    target = await startTarget(project);
  });
  afterAll(async () => {
    await target.remove();
    await project.remove();
  });

  describe.each(ways.map(([name, send], transport) => ({ name, send, transport })))(
    "over $name",
    ({ send, transport }) => {
      it.each(attacks.filter((_, attack) => isSelected(attack, transport)))("%s", async (_, procedure, text) => {
        let isDone = false;
        const beats: number[] = [];
        const watching = (async () => {
          do beats.push(await target.pulse());
          while (!isDone);
        })();
        const answer = await send(procedure, text).finally(() => {
          isDone = true;
        });
        await watching;
        expect(answer.status).toBeLessThan(500);
        expect(answer.text).toMatch(/invalid_argument|"code":-32\d\d\d|resource_exhausted/);
        // MCP says it twice: to the model and, in `_meta`, to the program.
        expect(Buffer.byteLength(answer.text)).toBeLessThan(2 * errorBytes);
        expect(Math.max(...beats)).toBeLessThan(longest);
        expect(await leastCpu(() => send(procedure, text))).toBeLessThan(mostCpu);
      });
    },
  );

  it("a batch of the longest errors stays short", async () => {
    const extra = Object.fromEntries(times(30, (at) => [`${"é".repeat(120)}${at}`, "x"]));
    const inputs = Object.fromEntries(times(100, (at) => [at, { rows: [], extra }]));
    const path = (calls: number): string => `/trpc/${times(calls, () => "target.rows").join(",")}?batch=1`;
    const full = await post(path(100), JSON.stringify(inputs));
    expect(JSON.parse(full.text)).toHaveLength(100);
    expect(Buffer.byteLength(full.text)).toBeLessThanOrEqual(mostBytes);
    const over = await post(path(101), JSON.stringify(inputs));
    expect(over.status).toBe(400);
    expect(Buffer.byteLength(over.text)).toBeLessThan(errorBytes);
  });

  it("a body without end is cut off at the limit", async () => {
    const chunk = new TextEncoder().encode("x".repeat(65_536));
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += chunk.length;
        if (sent > 64 * 1_048_576) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: endless,
      duplex: "half",
    } as const;
    const status = await fetch(`${target.url}/api/target/set`, init).then(
      (answer) => answer.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect(sent).toBeLessThan(32 * 1_048_576);
  });

  it("stayed small and well", async () => {
    expect(await target.memory()).toBeLessThan(mostMemory);
    const answer = await fetch(`${target.url}/api/target/sum?a=40&b=2`);
    expect(await answer.text()).toBe("42");
    const ended = await target.terminate();
    expect(ended).toMatchObject({ code: 143, signal: null });
    expect(complaints(ended)).toEqual([]);
  });
};

/** Of a few, or the first that is good enough. */
const leastCpu = async (work: () => Promise<unknown>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let left = tries; left > 0 && least >= mostCpu; left -= 1) {
    const before = await target.cpu();
    await work();
    least = Math.min(least, (await target.cpu()) - before);
  }
  return least;
};
