/** Stdio servers of one project as real processes, and what happens when many start at once. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { type CommandProcess, start } from "./command-process.ts";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

/** Calls that write down that they have begun, and take until a file says go on. */
const untilGo = (name: string): string => `async () => {
      appendFileSync(join(import.meta.dirname, "begun"), "${name}\\n");
      while (!existsSync(join(import.meta.dirname, "go"))) await new Promise((r) => setTimeout(r, 5));`;

/** A project whose `wait` and `add` take until there is a file `services/probe/go`. */
export const slowProject = async (): Promise<OutsideProject> => {
  const generated = outsideProject();
  const path = join(generated.folder, "services/probe/service.ts");
  const source = readFileSync(path, "utf8")
    .replace(/^/, 'import { appendFileSync, existsSync } from "node:fs";\nimport { join } from "node:path";\n')
    .replace(/wait: \(.*$/m, `wait: ${untilGo("wait")} return {}; },`)
    .replace(/add: \(.*$/m, `add: ${untilGo("add")} return { count: ++count }; },`);
  generated.write("services/probe/service.ts", source);
  expect((await runHere(["gen"], { cwd: generated.folder })).code).toBe(0);
  return generated;
};

/** The calls of a slow project's `wait` and `add` that have begun, by their names. */
export const begunCalls = (project: string): readonly string[] => {
  const file = join(project, "services/probe/begun");
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").toSorted() : [];
};

export interface StdioServer {
  readonly process: CommandProcess;
  /** Sends a request and gives its answer, whatever came before it. */
  ask(id: number, method: string, params?: object): Promise<Answer>;
  send(message: object): void;
}

interface Answer {
  readonly result: Readonly<Record<string, unknown>>;
}

export const startServer = (cwd: string, env: Readonly<Record<string, string>> = {}): StdioServer => {
  const process = start(["mcp", "serve", "--stdio"], { cwd, env });
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
  return server;
};

const clientInfo = { name: "test", version: "1.0.0" };
export const begin = async (server: StdioServer): Promise<void> => {
  await server.ask(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  server.send({ method: "notifications/initialized" });
};
export const echo = (server: StdioServer, id: number) =>
  server.ask(id, "tools/call", { name: "echo", arguments: { text: `number ${id}` } });
export const echoed = (id: number) => ({ result: { structuredContent: { text: `number ${id}`, list: [] } } });

export const ownerRecord = (project: string): { readonly pid: number; readonly phase: string } => {
  const folder = join(project, "state", "owner");
  const locks = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const latest = locks.map((name) => Number.parseInt(name, 10)).toSorted((a, b) => b - a)[0];
  return JSON.parse(readFileSync(join(folder, `${latest}.json`), "utf8"));
};

/** Starts so many at once beside `up`, and has each of them write: one kernel counts all writes, and gives the same answers again. */
export const startAtOnce = async (folder: string, count: number, serve: () => StdioServer): Promise<void> => {
  writeFileSync(join(folder, "services/probe/go"), "");
  const servers = Array.from({ length: count }, serve);
  const up = start(["up", "--port", "0", "--json"], { cwd: folder });
  await Promise.all(servers.map(begin));
  const isUp = await Promise.race([up.until(/\n/).then(() => true), up.ended.then(() => false)]);
  expect(isUp).toBe(ownerRecord(folder).pid === up.child.pid);
  const write = (server: StdioServer, id: number, key: number) =>
    server.ask(id, "tools/call", { name: "add", arguments: {}, _meta: { "fairlead/idempotencyKey": `key-${key}` } });
  const counts = (answers: readonly Answer[]) => answers.map(({ result }) => JSON.stringify(result.structuredContent));
  const first = counts(await Promise.all(servers.map((server, at) => write(server, 1, at))));
  const expected = servers.map((_, at) => JSON.stringify({ count: at + 1 }));
  expect(first.toSorted()).toEqual(expected.toSorted());
  const again = await Promise.all(servers.map((server, at) => write(server, 2, (at + 1) % count)));
  expect(counts(again)).toEqual([...first.slice(1), ...first.slice(0, 1)]);
  up.child.kill("SIGTERM");
  expect(await up.ended).toMatchObject({ code: isUp ? 143 : 8 });
};
