/** The command line logs in to an upstream: a page to open, a browser that comes back, and a token that nobody is shown. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Command, ownBin, run, type Started, start, stop } from "../e2e/command.ts";
import { runHere } from "../e2e/command-here.ts";
import { type GuardedPeer, serveGuarded } from "./peers/guarded.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-login-")));
let peer: GuardedPeer;
let kernel: Started;
let command: Command = { bin: ownBin, cwd: folder };

const status = async () => {
  const { out } = await runHere(["conn", "status", "up", "--json"], command);
  return JSON.parse(out).connection;
};
/** Over HTTP, so that looking often costs no command each time. */
const becomes = (state: string) =>
  expect
    .poll(async () => (await fetch(`${command.env?.FAIRLEAD_URL}/api/connections/status?name=up`)).json())
    .toMatchObject({ state });

beforeAll(async () => {
  peer = await serveGuarded({ wider: "write" });
  writeFileSync(
    join(folder, "fairlead.config.ts"),
    `export default { port: 0, stateDir: "./state", only: ["connections"], log: { level: "debug" },
       services: { connections: { upstreams: { up: { url: ${JSON.stringify(peer.url)}, oauth: true } } } } };`,
  );
  kernel = start(command, ["up", "--json"]);
  const { http } = JSON.parse(await kernel.until(/\n/));
  command = { ...command, env: { FAIRLEAD_URL: String(http).replace(/\/api$/, "") } };
});

afterAll(async () => {
  await stop(kernel);
  await peer.close();
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

/** A person who opens the page that the command shows. */
const logIn = async (): Promise<string> => {
  const login = start(command, ["conn", "login", "up"]);
  const { promise: page, resolve } = Promise.withResolvers<string>();
  let shown = "";
  login.child.stderr?.on("data", (text: string) => {
    shown += text;
    const found = /http:\/\/\S+authorize\S+(?=\n)/.exec(shown);
    if (found !== null) resolve(found[0]);
  });
  expect(await (await fetch(await page)).text()).toContain("go back to the command line");
  const { code, out, err } = await login.ended;
  expect(code, err).toBe(0);
  return out + err;
};

it("logs in, and again for the rights that a call has wanted", async () => {
  await becomes("blocked");
  expect((await status()).lastError).toMatchObject({
    reason: "unauthorized",
    hint: expect.stringContaining("fairlead conn login"),
  });
  const said = [await logIn()];
  await becomes("connected");
  const refused = await run(command, ["call", "connections.up__count"]);
  expect(refused.err).toContain("fairlead conn login up");
  said.push(refused.out, refused.err, await logIn());
  await becomes("connected");
  expect((await runHere(["call", "connections.up__count"], command)).code).toBe(0);
  expect(peer.asked).toEqual(["basic", "basic write"]);

  const kept = join(folder, "state", "connections", "oauth");
  const [file = ""] = readdirSync(kept);
  expect(statSync(kept).mode & 0o777).toBe(0o700);
  expect(statSync(join(kept, file)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(kept, file), "utf8")).toContain(peer.given.at(-1));

  for (const words of [
    ["conn", "ls", "--json"],
    ["conn", "status", "up"],
  ]) {
    const asked = await runHere(words, command);
    said.push(asked.out, asked.err);
  }
  const types = ["connection.Blocked", "connection.Connected"];
  const events = start(command, ["services", "events", "--json", "--type", ...types]);
  await events.until(/connection\.Connected.*\n[\s\S]*connection\.Connected.*\n/);
  events.child.kill("SIGINT");
  const followed = await events.ended;
  said.push(followed.out, followed.err);
  kernel.child.kill("SIGTERM");
  const { out, err } = await kernel.ended;
  for (const token of peer.given) expect([...said, out, err].join("\n")).not.toContain(token);
});
