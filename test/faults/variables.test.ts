/** Variables in what is written down: filled in when connecting, shown as they are written, told with their place when they are not set. */
import { createServer } from "node:http";
import { afterEach, expect, it } from "vitest";
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
