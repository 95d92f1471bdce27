/** Variables in what is written down: filled in when connecting, shown as they are written, told with their place when they are not set. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type Board, openBoard } from "./board.ts";

const given = (name: string): string => `$\{${name}}`;
const env = { NODE: process.execPath, WORD: "filled in", SECRET: "do-not-show-this" };
let board: Board | undefined;
afterEach(() => board?.close());

const open = (upstream: object): Promise<Board> => openBoard({ upstreams: { up: upstream } }, { env });

it("are filled in wherever a program gets something, and shown as they are", async () => {
  const program = "throw new Error([process.argv[1], process.env.GIVEN, process.env.WORD, process.argv[2]].join('|'))";
  board = await open({
    command: given("NODE"),
    args: ["-e", program, given("WORD"), given("SECRET")],
    env: { GIVEN: given("WORD") },
  });
  await board.becomes("up", "reconnecting");
  const status = await board.status("up");
  expect(status.lastError).toMatchObject({ reason: "exited" });
  expect(status.lastError?.message).toContain(`Error: ${given("WORD")}|${given("WORD")}||${given("SECRET")}`);
  expect(status).toMatchObject({ endpoint: `${given("NODE")} -e ${program} ${given("WORD")} ${given("SECRET")}` });
  expect(JSON.stringify([status, board.happened])).not.toContain(env.SECRET);
});

it.each([
  [{ command: given("NOT_SET") }, "command"],
  [{ command: "node", args: ["-e", "", given("NOT_SET")] }, "args.2"],
  [{ command: "node", env: { TOKEN: given("NOT_SET") } }, "env.TOKEN"],
  [{ command: "node", cwd: `/${given("NOT_SET")}` }, "cwd"],
  [{ url: `http://127.0.0.1:1/${given("NOT_SET")}` }, "url"],
  [{ url: "http://127.0.0.1:1/", headers: { authorization: `Bearer ${given("NOT_SET")}` } }, "headers.authorization"],
])("of %j one that is not set is told with its place", async (upstream, place) => {
  board = await open(upstream);
  await board.becomes("up", "blocked");
  expect((await board.status("up")).lastError).toMatchObject({
    reason: "missing_variable",
    message: `the environment variable NOT_SET, which \`${place}\` names, is not set`,
  });
});

describe("secrets of files and commands", () => {
  const secret = "do-not-show-that";
  const print = (text: string) => ({ command: process.execPath, args: ["-e", `console.log(${JSON.stringify(text)})`] });
  const program = {
    command: process.execPath,
    args: ["-e", "throw new Error([process.env.A, process.env.B].join('|'))"],
    env: { A: given("FROM_FILE"), B: given("FROM_COMMAND") },
  };
  const folder = mkdtempSync(join(tmpdir(), "fairlead-secrets-"));
  const file = join(folder, "token");
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are read for each attempt, are not shown, and win over variables of their names", async () => {
    writeFileSync(file, `first-${secret}\n`);
    const secrets = { FROM_FILE: { file }, FROM_COMMAND: print(`command-${secret}`) };
    board = await openBoard({ secrets, upstreams: { up: program } }, { env: { FROM_FILE: "of-the-environment" } });
    await board.becomes("up", "reconnecting");
    const { lastError } = await board.status("up");
    expect(lastError?.message).toContain(`Error: ${given("FROM_FILE")}|${given("FROM_COMMAND")}`);
    const before = board.happened.length;
    writeFileSync(file, `second-${secret}\n`);
    await board.ask("reconnect", { name: "up" });
    await expect.poll(() => board?.happened.length).toBeGreaterThan(before + 1);
    expect((await board.status("up")).lastError?.message).toContain(given("FROM_FILE"));
    expect(JSON.stringify([await board.status("up"), board.happened])).not.toContain(secret);
  });

  it.each<[string, object, RegExp]>([
    ["a file that is not there", { file: join(folder, "none") }, /cannot be read: ENOENT/],
    ["a folder", { file: folder }, /is not a file/],
    ["an empty one", print(""), /it is empty/],
    [
      "a command that fails",
      { command: process.execPath, args: ["-e", `console.log("${secret}"); process.exit(3)`] },
      /code 3/,
    ],
    ["no command", { command: join(folder, "no-program") }, /could not be started/],
    [
      "too much",
      { command: process.execPath, args: ["-e", "console.log('x'.repeat(70000))"] },
      /more than 65536 bytes/,
    ],
  ])("%s blocks the connection, with the reason", async (_, source, why) => {
    board = await openBoard({
      secrets: { TOKEN: source },
      upstreams: { up: { command: "node", env: { TOKEN: given("TOKEN") } } },
    });
    await board.becomes("up", "blocked");
    const { lastError } = await board.status("up");
    expect(lastError).toMatchObject({ reason: "missing_secret", message: expect.stringMatching(why) });
    expect(JSON.stringify(board.happened)).not.toContain(secret);
  });
});

it("stay hidden where an upstream says what it was sent", async () => {
  const parrot = createServer((request, response) => {
    const error = { code: -32_600, message: `I do not take ${request.headers.authorization}` };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 0, error }));
  });
  await new Promise<void>((resolve) => parrot.listen(0, "127.0.0.1", resolve));
  const address = parrot.address();
  const url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/mcp` : "";
  board = await open({ url, era: "legacy", headers: { authorization: `Bearer ${given("SECRET")}` } });
  await board.becomes("up", "blocked");
  expect((await board.status("up")).lastError?.message).toContain(`I do not take Bearer ${given("SECRET")}`);
  expect(JSON.stringify(board.happened)).not.toContain(env.SECRET);
  parrot.close();
});
