/** Fifty stdio servers at once, beside `up` or behind one of them that is killed: one owner, and no write is lost. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OutsideProject } from "./outside-project.ts";
import {
  begin,
  begunCalls,
  ownerRecord,
  type StdioServer,
  slowProject,
  startAtOnce,
  startServer,
} from "./stdio-servers.ts";

const count = 50;

let project: OutsideProject;
let servers: StdioServer[];

beforeEach(async () => {
  project = await slowProject();
  servers = [];
});
afterEach(async () => {
  for (const { process } of servers) process.child.kill("SIGKILL");
  await Promise.all(servers.map(({ process }) => process.ended));
  project.remove();
});

const serve = (): StdioServer => {
  const server = startServer(project.folder);
  servers.push(server);
  return server;
};

test("fifty stdio servers that start at once beside `up` have one owner and lose no write", async () => {
  await startAtOnce(project.folder, count, serve);
  expect(servers).toHaveLength(count);
});

test("when the owner of fifty attached servers is killed amid writes, one of them takes over and gives every acknowledged answer again", async () => {
  writeFileSync(join(project.folder, "services/probe/go"), "");
  const first = serve();
  await begin(first);
  const others = Array.from({ length: count }, serve);
  await Promise.all(others.map(begin));
  const killed = ownerRecord(project.folder).pid;
  expect(killed).toBe(first.process.child.pid);

  const acknowledged = new Map<string, string>();
  const answer = async (server: StdioServer, id: number, key: string): Promise<string> => {
    const params = { name: "add", arguments: {}, _meta: { "fairlead/idempotencyKey": key } };
    const { result } = await server.ask(id, "tools/call", params);
    return JSON.stringify(result.structuredContent ?? result._meta);
  };
  const write = async (server: StdioServer, id: number, key: string): Promise<void> => {
    const given = await answer(server, id, key);
    if (/^\{"count":\d+\}$/.test(given)) acknowledged.set(key, given);
    // Its run had begun, and is not repeated.
    else expect(given).toContain('"code":"aborted"');
  };
  await Promise.all(others.map((server, at) => write(server, 1, `before-${at}`)));
  expect(acknowledged.size).toBe(count);

  const writes = others.map((server, at) => write(server, 2, `amid-${at}`));
  await Promise.race(writes);
  first.process.child.kill("SIGKILL");
  const killedAt = performance.now();
  await Promise.all(others.map((server) => server.ask(3, "tools/list")));
  console.info(`the last of ${count} servers answered ${Math.round(performance.now() - killedAt)} ms after the kill`);
  await Promise.all(writes);

  const owner = ownerRecord(project.folder);
  expect(owner).toMatchObject({ phase: "open" });
  expect(others.map(({ process }) => process.child.pid)).toContain(owner.pid);
  const keys = [...acknowledged.keys()];
  const again = await Promise.all(keys.map((key, at) => answer(others[(at + 7) % count] ?? first, 10 + at, key)));
  expect(new Map(keys.map((key, at) => [key, again[at]]))).toEqual(acknowledged);
  // No key ran twice.
  expect(begunCalls(project.folder).length).toBeLessThanOrEqual(2 * count);
});
