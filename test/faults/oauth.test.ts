/** Logging in to an upstream: in two steps around a browser, tokens kept for the owner alone, renewed when they run out. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Board, openBoard } from "./board.ts";
import { type GuardedOptions, type GuardedPeer, serveGuarded } from "./peers/guarded.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const redirectUrl = "http://127.0.0.1:9/callback";
let peer: GuardedPeer;
let board: Board;
let stateDir: string;

const open = (oauth: unknown = true): Promise<Board> =>
  openBoard({ upstreams: { up: { url: peer.url, oauth } } }, { stateDir, env: { SECRET: "only between us" } });

/** Another peer, and a client that is set up for it; its issuer is the peer itself, unless another is given. */
const restart = async (options: GuardedOptions, client: Readonly<Record<string, string>>): Promise<void> => {
  await board.close();
  await peer.close();
  peer = await serveGuarded(options);
  board = await open("clientId" in client ? { issuer: new URL(peer.url).origin, ...client } : client);
  await board.becomes("up", "blocked");
};

beforeEach(async () => {
  stateDir = mkdtempSync(join(tmpdir(), "fairlead-oauth-"));
  peer = await serveGuarded();
  board = await open();
  await board.becomes("up", "blocked");
});
afterEach(async () => {
  await board.close();
  await peer.close();
  rmSync(stateDir, { recursive: true });
});

/** What a browser does: goes to the page, is sent back with a query. */
const browse = async (): Promise<string> => {
  const { authorizationUrl } = (await board.ask("beginLogin", { name: "up", redirectUrl })) as Record<string, string>;
  const sentBack = await fetch(authorizationUrl ?? "", { redirect: "manual" });
  return new URL(sentBack.headers.get("location") ?? "").search.slice(1);
};

const logIn = async (): Promise<void> => {
  await board.ask("finishLogin", { name: "up", query: await browse() });
  await board.becomes("up", "connected");
};

const files = (): readonly string[] => {
  const folder = join(stateDir, "connections", "oauth");
  return readdirSync(folder).map((name) => join(folder, name));
};

describe("a call that wants wider rights", () => {
  beforeEach(async () => {
    await restart({ wider: "write" }, {});
    await logIn();
  });

  it("says so, and leaves the connection as it is", async () => {
    expect(await board.call("up__count")).toMatchObject({
      ok: false,
      error: { code: "permission_denied", reason: "insufficient_scope", data: { connection: "up", scope: "write" } },
    });
    expect((await board.status("up")).state).toBe("connected");
    expect(await board.call("up__echo", { message: "still" })).toMatchObject({ ok: true, text: "still" });
  });

  if (inLongTier) {
    it("has them after a login, which asks for what there was, too, and takes nothing away while it goes on", async () => {
      await board.call("up__count");
      const query = await browse();
      expect(await board.call("up__echo", { message: "meanwhile" })).toMatchObject({ ok: true, text: "meanwhile" });
      await board.ask("finishLogin", { name: "up", query });
      await board.becomes("up", "connected");
      expect(await board.call("up__count")).toMatchObject({ ok: true });
      expect(peer.asked).toEqual(["basic", "basic write"]);
    });
  }
});

describe("a client that was registered by hand", () => {
  const known = { id: "we", secret: "only between us" };
  const variable = `$\{SECRET}`;

  it("is known by its id and its secret, which stands nowhere", async () => {
    await restart({ known }, { clientId: known.id, clientSecret: variable });
    await logIn();
    expect(await board.call("up__echo", { message: "in" })).toMatchObject({ ok: true, text: "in" });
    expect(peer.clients()).toBe(0);
    for (const file of files()) expect(readFileSync(file, "utf8")).not.toContain(known.secret);
    expect(JSON.stringify(await board.ask("list", {}))).not.toContain(known.secret);
  });

  it("is sent to no other authorization server", async () => {
    await restart({ known }, { clientId: known.id, clientSecret: variable, issuer: "https://elsewhere.example" });
    await expect(browse()).rejects.toMatchObject({ wire: { reason: "login_failed" } });
    expect(peer.proofs).toEqual([]);
  });
});

describe("an upstream that wants a login", () => {
  it("is blocked, says what to do, and registers no client by itself", async () => {
    expect(await board.status("up")).toMatchObject({ lastError: { reason: "unauthorized" } });
    expect(JSON.stringify(await board.status("up"))).toContain("fairlead conn login");
    await board.ask("reconnect", { name: "up" });
    await board.becomes("up", "blocked");
    expect(peer.clients()).toBe(0);
  });

  it("is connected after a login, with tokens that only their owner can read", async () => {
    await logIn();
    expect(await board.call("up__echo", { message: "in" })).toMatchObject({ ok: true, text: "in" });
    const [file = "", ...more] = files();
    expect(more).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain(peer.given.at(-1));
    expect(JSON.stringify(await board.ask("list", {}))).not.toContain(peer.given.at(-1));
  });

  it("is logged in to where its address holds a variable, too", async () => {
    await board.close();
    board = await openBoard(
      { upstreams: { up: { url: `$\{PLACE}/mcp`, oauth: true } } },
      { stateDir, env: { PLACE: new URL(peer.url).origin } },
    );
    await board.becomes("up", "blocked");
    await logIn();
  });

  if (inLongTier) {
    it("is still connected after a restart of the kernel", async () => {
      await logIn();
      await board.close();
      board = await open();
      await board.becomes("up", "connected");
      expect(peer.given).toHaveLength(1);
    });
  }

  it("gets a new token when the old one has run out", async () => {
    await logIn();
    peer.expire();
    expect(await board.call("up__echo", { message: "renewed" })).toMatchObject({ ok: true, text: "renewed" });
    expect(peer.given).toHaveLength(2);
    expect((await board.status("up")).state).toBe("connected");
  });

  it("is blocked again when nothing is taken any more, and can be logged in to again", async () => {
    await logIn();
    peer.revoke();
    expect(await board.call("up__echo")).toMatchObject({ ok: false, error: { data: { reason: "unauthorized" } } });
    await board.becomes("up", "blocked");
    await logIn();
  });

  it("takes no answer but that to the login that was begun", async () => {
    const query = new URLSearchParams(await browse());
    const forged = new URLSearchParams(query);
    forged.set("state", "made-up");
    const refused = { wire: { reason: "login_failed" } };
    await expect(board.ask("finishLogin", { name: "up", query: forged.toString() })).rejects.toMatchObject(refused);
    // The state was good for one answer.
    await expect(board.ask("finishLogin", { name: "up", query: query.toString() })).rejects.toMatchObject(refused);
    const mixed = new URLSearchParams(await browse());
    mixed.set("iss", "https://somebody.example");
    await expect(board.ask("finishLogin", { name: "up", query: mixed.toString() })).rejects.toMatchObject(refused);
    expect(peer.given).toEqual([]);
  });

  it.each(["https://evil.example/callback", "http://10.0.0.1/callback"])(
    "sends no browser to %s",
    async (elsewhere) => {
      await expect(board.ask("beginLogin", { name: "up", redirectUrl: elsewhere })).rejects.toMatchObject({
        wire: { reason: "login_failed" },
      });
    },
  );
});
