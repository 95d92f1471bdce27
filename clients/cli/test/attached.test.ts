/** Stdio servers beside each other, as real processes: one owns the state folder, the others are attached, and one of them takes over. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errWithoutWarnings, start } from "./command-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";
import {
  begin,
  begunCalls,
  echo,
  echoed,
  ownerRecord,
  type StdioServer,
  slowProject,
  startAtOnce,
  startServer,
} from "./stdio-servers.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let generated: OutsideProject;
let project: OutsideProject;
let servers: StdioServer[];

beforeAll(async () => {
  generated = await slowProject();
});
afterAll(() => generated.remove());
beforeEach(() => {
  project = outsideProject(generated);
  servers = [];
});
afterEach(async () => {
  for (const {
    process: { child },
  } of servers)
    child.kill("SIGKILL");
  await Promise.all(servers.map((server) => server.process.ended));
  project.remove();
});

const serve = (): StdioServer => {
  const server = startServer(project.folder);
  servers.push(server);
  return server;
};
const owner = () => ownerRecord(project.folder);
const ownerOf = (found: readonly StdioServer[]): StdioServer | undefined =>
  found.find(({ process: { child } }) => child.pid === owner().pid);

describe("stdio servers of one project", () => {
  if (inLongTier) {
    test("share one kernel, and one takes over when its process is killed", async () => {
      const first = serve();
      await begin(first);
      const others = [serve(), serve()];
      await Promise.all(others.map(begin));
      expect(owner().pid).toBe(first.process.child.pid);
      for (const [at, server] of others.entries()) expect(await echo(server, at + 1)).toMatchObject(echoed(at + 1));

      first.process.child.kill("SIGKILL");
      const began = performance.now();
      const answers = await Promise.all(others.map((server) => echo(server, 9)));
      console.info(`answered ${Math.round(performance.now() - began)} ms after the owner was killed`);
      for (const answer of answers) expect(answer).toMatchObject(echoed(9));
      expect(ownerOf(others)).toBeDefined();
      expect(owner().pid).not.toBe(first.process.child.pid);
    });

    test("repeat what may be repeated at the next owner, and say of the rest that it is unavailable", async () => {
      const first = serve();
      await begin(first);
      const second = serve();
      await begin(second);
      const go = join(project.folder, "services/probe/go");
      const keyed = (key: string) => ({ name: "add", arguments: {}, _meta: { "fairlead/idempotencyKey": key } });
      // Opens the store of answers.
      writeFileSync(go, "");
      expect(await second.ask(10, "tools/call", keyed("first"))).toMatchObject({
        result: { structuredContent: { count: 1 } },
      });
      rmSync(go);
      const reading = second.ask(1, "tools/call", { name: "wait", arguments: {} });
      const adding = second.ask(2, "tools/call", { name: "add", arguments: {} });
      const keyedAdding = second.ask(3, "tools/call", keyed("once"));
      expect(await echo(second, 4)).toMatchObject(echoed(4));
      await expect.poll(() => begunCalls(project.folder)).toEqual(["add", "add", "add", "wait"]);
      first.process.child.kill("SIGKILL");
      expect(await adding).toMatchObject({
        result: {
          isError: true,
          _meta: { "fairlead/error": { code: "unavailable", message: expect.stringContaining("add") } },
        },
      });
      writeFileSync(go, "");
      expect(await reading).toMatchObject({ result: { structuredContent: {} } });
      // The store knows that it had begun, and does not run it again.
      expect(await keyedAdding).toMatchObject({
        result: { isError: true, _meta: { "fairlead/error": { code: "aborted" } } },
      });
    });
  }

  test("go on when the owner's client leaves, and end with their own", async () => {
    const first = serve();
    await begin(first);
    const second = serve();
    await begin(second);
    first.process.child.stdin.end();
    expect(await first.process.ended).toMatchObject({ code: 0 });
    expect(await echo(second, 1)).toMatchObject(echoed(1));
    expect(owner().pid).toBe(second.process.child.pid);
    second.process.child.stdin.end();
    const ended = await second.process.ended;
    expect({ ...ended, err: errWithoutWarnings(ended) }).toMatchObject({ code: 0, err: "" });
    expect(owner().phase).toBe("released");
  });

  if (inLongTier) {
    test("that are attached end with their input and on SIGTERM, and say what is wrong with their words", async () => {
      await begin(serve());
      const [second, third] = [serve(), serve()];
      await Promise.all([begin(second), begin(third)]);
      second.process.child.stdin.end();
      const ended = await second.process.ended;
      expect({ ...ended, err: errWithoutWarnings(ended) }).toMatchObject({ code: 0, err: "" });
      third.process.child.kill("SIGTERM");
      expect(await third.process.ended).toMatchObject({ code: 143 });
      const wrong = start(["mcp", "serve", "prob", "--stdio"], { cwd: project.folder });
      expect(await wrong.ended).toMatchObject({ code: 6, err: expect.stringContaining("did you mean probe?") });
    });

    test("started at once, beside `up`, have one owner and lose no write", async () => {
      await startAtOnce(project.folder, 6, serve);
    });
  }
});
