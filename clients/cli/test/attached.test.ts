/** Stdio servers beside each other, as real processes: one owns the state folder, the others are attached, and one of them takes over. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CommandProcess, start } from "./command-process.ts";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

/** Calls that take until a file says go on. */
const held = `async () => { while (!existsSync(join(import.meta.dirname, "go"))) await new Promise((r) => setTimeout(r, 5));`;

let generated: OutsideProject;
let project: OutsideProject;
let servers: StdioServer[];

beforeAll(async () => {
  generated = outsideProject();
  const path = join(generated.folder, "services/probe/service.ts");
  const source = readFileSync(path, "utf8")
    .replace(/^/, 'import { existsSync } from "node:fs";\nimport { join } from "node:path";\n')
    .replace(/wait: \(.*$/m, `wait: ${held} return {}; },`)
    .replace(/add: \(.*$/m, `add: ${held} return { count: ++count }; },`);
  generated.write("services/probe/service.ts", source);
  expect((await runHere(["gen"], { cwd: generated.folder })).code).toBe(0);
}, 60_000);
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

interface StdioServer {
  readonly process: CommandProcess;
  /** Sends a request and gives its answer, whatever came before it. */
  ask(id: number, method: string, params?: object): Promise<Answer>;
  send(message: object): void;
}

interface Answer {
  readonly result: Readonly<Record<string, unknown>>;
}

const serve = (): StdioServer => {
  const process = start(["mcp", "serve", "--stdio"], { cwd: project.folder });
  const answers = new Map<number, PromiseWithResolvers<Answer>>();
  const answer = (id: number): PromiseWithResolvers<Answer> => {
    const found = answers.get(id) ?? Promise.withResolvers<Answer>();
    answers.set(id, found);
    return found;
  };
  createInterface({ input: process.child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.id !== undefined) answer(message.id).resolve(message);
  });
  const send = (message: object): void =>
    void process.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const server: StdioServer = {
    process,
    send,
    ask: (id, method, params = {}) => {
      send({ id, method, params });
      return answer(id).promise;
    },
  };
  servers.push(server);
  return server;
};

const clientInfo = { name: "test", version: "1.0.0" };
const begin = async (server: StdioServer): Promise<void> => {
  await server.ask(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  server.send({ method: "notifications/initialized" });
};
const echo = (server: StdioServer, id: number) =>
  server.ask(id, "tools/call", { name: "echo", arguments: { text: `number ${id}` } });
const echoed = (id: number) => ({ result: { structuredContent: { text: `number ${id}`, list: [] } } });

const owner = (): { readonly pid: number; readonly phase: string } => {
  const folder = join(project.folder, "state", "owner");
  const locks = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const latest = locks.map((name) => Number.parseInt(name, 10)).toSorted((a, b) => b - a)[0];
  return JSON.parse(readFileSync(join(folder, `${latest}.json`), "utf8"));
};
const ownerOf = (found: readonly StdioServer[]): StdioServer | undefined =>
  found.find(({ process: { child } }) => child.pid === owner().pid);

describe("stdio servers of one project", () => {
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
    // Answered after those before it have begun.
    expect(await echo(second, 4)).toMatchObject(echoed(4));
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
    expect(await second.process.ended).toMatchObject({ code: 0, err: "" });
    expect(owner().phase).toBe("released");
  });

  test("that are attached end with their input and on SIGTERM, and say what is wrong with their words", async () => {
    await begin(serve());
    const [second, third] = [serve(), serve()];
    await Promise.all([begin(second), begin(third)]);
    second.process.child.stdin.end();
    expect(await second.process.ended).toMatchObject({ code: 0, err: "" });
    third.process.child.kill("SIGTERM");
    expect(await third.process.ended).toMatchObject({ code: 143 });
    const wrong = start(["mcp", "serve", "prob", "--stdio"], { cwd: project.folder });
    expect(await wrong.ended).toMatchObject({ code: 6, err: expect.stringContaining("did you mean probe?") });
  });

  test("started at once, beside `up`, have one owner", async () => {
    const six = Array.from({ length: 6 }, serve);
    const up = start(["up", "--port", "0", "--json"], { cwd: project.folder });
    await Promise.all(six.map(begin));
    const answers = await Promise.all(six.map((server, at) => echo(server, at + 1)));
    for (const [at, answer] of answers.entries()) expect(answer).toMatchObject(echoed(at + 1));
    const isUp = await Promise.race([up.until(/\n/).then(() => true), up.ended.then(() => false)]);
    expect(isUp).toBe(owner().pid === up.child.pid);
    if (!isUp) expect(await up.ended).toMatchObject({ code: 8 });
    up.child.kill("SIGKILL");
    await up.ended;
    expect(existsSync(join(project.folder, "state", "owner"))).toBe(true);
  });
});
