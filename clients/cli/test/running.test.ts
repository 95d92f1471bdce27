/** The command beside a kernel that runs in another process. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandProcess, type ProcessOptions, parseError, start } from "./command-process.ts";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const token = "a-token-of-sixteen-characters-or-more";
let project: OutsideProject;
let kernel: CommandProcess;
let url: string;

const run = (args: readonly string[], options: Partial<ProcessOptions> = {}) =>
  runHere(args, { cwd: project.folder, ...options });

const up = async (
  env: Record<string, string> = {},
): Promise<{ readonly kernel: CommandProcess; readonly url: string }> => {
  const spawned = start(["up", "--port", "0", "--json"], { cwd: project.folder, env });
  const { http } = JSON.parse(await spawned.until(/\n/));
  return { kernel: spawned, url: String(http).replace(/\/api$/, "") };
};

beforeAll(async () => {
  project = outsideProject();
  expect((await run(["gen"])).code).toBe(0);
  ({ kernel, url } = await up());
});

afterAll(async () => {
  kernel.child.kill("SIGKILL");
  await kernel.ended;
  project.remove();
});

describe("up", () => {
  if (inLongTier) {
    test("prints one line each for people", async () => {
      const people = start(["up", "--port", "0", "--local"], { cwd: project.folder });
      const out = await people.until(/(.*\n){5}/);
      people.child.kill("SIGINT");
      expect(out).toMatch(
        /^HTTP +http:.*\ntRPC +http:.*\nMCP +http:.*\nOpenAPI +http:.*openapi\.json\nConsole +http:.*\/console\n$/,
      );
      expect(await people.ended).toMatchObject({ code: 130 });
    });
  }

  test("ends with 143 on SIGTERM", async () => {
    const other = await up({ FAIRLEAD_STATE_DIR: `${project.folder}/state-of-another` });
    other.kernel.child.kill("SIGTERM");
    expect(await other.kernel.ended).toMatchObject({ code: 143 });
  });

  if (inLongTier) {
    test("is ended by stop, which waits for it", async () => {
      const env = { FAIRLEAD_STATE_DIR: `${project.folder}/state-to-stop` };
      const other = await up(env);
      const { pid } = other.kernel.child;
      expect(await run(["stop"], { env })).toMatchObject({ code: 0, out: expect.stringContaining(`pid ${pid}`) });
      expect(await other.kernel.ended).toMatchObject({ code: 143 });
      const again = await run(["stop", "--json"], { env });
      expect({ ...again, out: JSON.parse(again.out) }).toMatchObject({ code: 0, out: { stopped: null } });
    });

    test("keeps a log that is read while it runs and after", async () => {
      const env = { FAIRLEAD_STATE_DIR: `${project.folder}/state-of-log`, FAIRLEAD_LOG_CALLS: "all" };
      const other = await up(env);
      expect((await run(["call", "probe.short"], { env })).code).toBe(0);
      expect((await run(["call", "probe.add"], { env })).code).toBe(0);
      const shown = /^\S+ info +probe\.short {2}ok {2}http {2}\S+ ms\n\S+ info +probe\.add {2}ok {2}http {2}\S+ ms\n$/;
      expect((await run(["logs", "probe"], { env })).out).toMatch(shown);
      expect((await run(["stop"], { env })).code).toBe(0);
      expect(JSON.parse((await run(["logs", "probe", "--tail", "1", "--json"], { env })).out)).toMatchObject({
        message: "call",
        procedure: "probe.add",
      });
      expect((await run(["logs", "--since", "0s"], { env })).out).toBe("");
      expect((await other.kernel.ended).err).toContain('"procedure":"probe.short"');
    });
  }

  test("another one in its folder is refused, with how to run beside it", async () => {
    const ended = await run(["up", "--port", "0"]);
    expect(ended.code).toBe(8);
    expect(parseError(ended)).toMatchObject({ hint: expect.stringContaining("with --local --port 0") });
  });

  if (inLongTier) {
    test("exits 8 when its port is taken, and says by which process", async () => {
      const ended = await run(["up", "--local", "--port", new URL(url).port]);
      expect(ended.code).toBe(8);
      expect(parseError(ended)).toMatchObject({ code: "already_exists", hint: expect.stringContaining("--port") });
    });

    test("starts no service when its port is taken", async () => {
      const other = outsideProject(project);
      const started = join(other.folder, "started");
      const source = readFileSync(join(other.folder, "services/probe/service.ts"), "utf8");
      other.write(
        "services/probe/service.ts",
        `${source}\n(await import("node:fs")).writeFileSync(${JSON.stringify(started)}, "");\n`,
      );
      expect(await run(["up", "--port", new URL(url).port], { cwd: other.folder })).toMatchObject({ code: 8 });
      expect(existsSync(started)).toBe(false);
      other.remove();
    });

    test.each([
      ["--port", "many"],
      ["--port", "65536"],
      ["--port", "-1"],
      ["--host", "0.0.0.0"],
    ])("refuses %s %s", async (flag, value) => {
      const ended = await run(["up", "--local", flag, value]);
      expect(ended.code).toBe(2);
      expect(parseError(ended)).toMatchObject({ code: "usage", hint: expect.any(String) });
    });
  }
});

describe("what is said of the kernel", () => {
  test("status --url is about the kernel there", async () => {
    const { out } = await run(["status", "--url", url, "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      url,
      services: expect.arrayContaining([expect.objectContaining({ id: "probe", state: "Ready" })]),
    });
    expect((await run(["status", "--url", url])).out).toMatch(/^a kernel runs at http.*\n.*probe 1\.0\.0 {2}Ready/s);
  });

  test("that none runs, and how to start one", async () => {
    const env = { FAIRLEAD_STATE_DIR: `${project.folder}/state-of-none`, FAIRLEAD_PORT: "1" };
    const ended = await run(["services", "ls"], { env });
    expect(ended.code).toBe(4);
    expect(parseError(ended)).toMatchObject({
      message: expect.stringMatching(/^no kernel runs for this project/),
      hint: expect.stringContaining("`fairlead up`"),
    });
  });

  if (inLongTier) {
    test("that it does not run what is new", async () => {
      const other = outsideProject(project);
      const env = { FAIRLEAD_STATE_DIR: `${project.folder}/state` };
      for (const command of [["new", "weather"], ["gen"]])
        expect((await run(command, { cwd: other.folder, env })).err).toContain("runs what it loaded before");
      expect((await run(["gen"], { cwd: other.folder, env })).err).toBe("");
      other.remove();
    });
  }
});

describe("call --url", () => {
  test("gives the same bytes as a call in this process and as the HTTP API", async () => {
    const input = '{"text":"same","list":[2,1]}';
    const remote = await run(["call", "probe.echo", "-d", input, "--url", url]);
    expect(remote).toMatchObject({ code: 0, err: "" });
    expect((await run(["call", "probe.echo", "-d", input])).out).toBe(remote.out);
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/api/probe/echo`, { method: "POST", headers, body: input });
    expect(`${await answer.text()}\n`).toBe(remote.out);
  });

  test("reaches procedures that travel in the URL", async () => {
    expect((await run(["call", "probe.short", "-d", '{"level":3}', "--url", url])).out).toBe('{"level":3}\n');
  });

  test("exits the same for wrong input, unknown names and declared errors", async () => {
    expect((await run(["call", "probe.echo", "-d", '{"text":1}', "--url", url])).code).toBe(7);
    expect((await run(["call", "probe.ecko", "--url", url])).code).toBe(6);
    const refused = await run(["call", "probe.refuse", "--url", url]);
    expect(refused.code).toBe(5);
    expect(parseError(refused)).toMatchObject({ reason: "too_late", data: { by: 3 } });
  });

  if (inLongTier) {
    test("each procedure is a command with flags for its fields, here and at an address", async () => {
      for (const where of [[], ["--url", url]]) {
        expect((await run(["probe", "short", "--level", "3", ...where])).out).toBe('{"level":3}\n');
        expect((await run(["probe", "ticks", "--limit", "2", ...where])).out).toBe('{"tick":1}\n{"tick":2}\n');
        expect((await run(["probe", "short", "--level", "high", ...where])).code).toBe(2);
        expect((await run(["probe", "short", "--levle", "3", ...where])).code).toBe(2);
        expect(await run(["probe", "fail", ...where])).toMatchObject({
          code: 7,
          err: expect.stringContaining("code: expected"),
        });
      }
      const help = await run(["probe", "short", "--help"]);
      expect(help).toMatchObject({ code: 0, out: expect.stringMatching(/--level <number> +A level\. \(default: 1\)/) });
      expect((await run(["probe", "--help"])).out).toMatch(/probe echo .*\n(.*\n)*.*probe short +Travels in the URL\n/);
      expect((await run(["probe", "shrot"])).code).toBe(2);
    });
  }

  test("streams and resumes", async () => {
    const ended = await run(["call", "probe.ticks", "--limit", "2", "--last-event-id", "7", "--url", url]);
    expect(ended).toMatchObject({ code: 0, out: '{"tick":8}\n{"tick":9}\n' });
  });

  test("is interrupted by SIGINT", async () => {
    const waiting = start(["call", "probe.ticks", "--url", url], { cwd: project.folder });
    await waiting.until(/"tick":2/);
    waiting.child.kill("SIGINT");
    expect(await waiting.ended).toMatchObject({ code: 130 });
  });

  test("exits 4 when no kernel answers", async () => {
    const ended = await run(["call", "probe.echo", "--url", "http://127.0.0.1:1"]);
    expect(ended.code).toBe(4);
    expect(parseError(ended)).toMatchObject({ code: "unavailable", hint: expect.stringContaining("fairlead up") });
  });

  test("lists what the running kernel offers", async () => {
    expect((await run(["ls", "--url", url])).out).toContain("probe.wait");
    expect((await run(["services", "ls", "--url", url])).out).toMatch(/^probe +1\.0\.0 +Ready/m);
    expect((await run(["services", "ls", "--json"], { env: { FAIRLEAD_URL: url } })).out).toContain('"probe"');
  });

  test.each(["logs", "events", "restart"])("services %s of one that is not there says so", async (verb) => {
    const ended = await run(["services", verb, "prob", "--url", url]);
    expect(ended.code).toBe(6);
    expect(parseError(ended)).toMatchObject({ code: "not_found", hint: expect.stringContaining("probe") });
  });
});

if (inLongTier) {
  test.each([
    ["--tail", "few"],
    ["--since", "yesterday"],
    ["--level", "loud"],
  ])("logs refuses %s %s", async (flag, value) => {
    expect((await run(["logs", flag, value])).code).toBe(2);
  });

  describe("gen --watch", () => {
    test("generates again after an edit, and ends when interrupted", async () => {
      const edited = outsideProject(project);
      try {
        const watching = start(["gen", "--watch", "--json"], { cwd: edited.folder });
        await watching.until(/"ok":true.*\n/);
        edited.write("contracts/broken.contract.ts", "export const nothing = 1;\n");
        const out = await watching.until(/"ok":false.*\n/);
        watching.child.kill("SIGINT");
        expect(await watching.ended).toMatchObject({ code: 130 });
        for (const line of out.trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ schemaVersion: 1 });
      } finally {
        edited.remove();
      }
    });
  });

  describe("a kernel with a token", () => {
    test("refuses without it with exit 3, and takes it from a file or the environment", async () => {
      const guarded = await up({ FAIRLEAD_TOKEN: token, FAIRLEAD_STATE_DIR: `${project.folder}/guarded-state` });
      try {
        const call = ["call", "probe.short", "--url", guarded.url];
        expect((await run(call)).code).toBe(3);
        expect((await run(call, { env: { FAIRLEAD_TOKEN: token } })).code).toBe(0);
        project.write("token", `${token}\n`);
        expect((await run([...call, "--token-file", "token"])).code).toBe(0);
      } finally {
        guarded.kernel.child.kill("SIGTERM");
        await guarded.kernel.ended;
      }
    });
  });
}

describe("tokens", () => {
  /** What the kernel says to a caller with that token. */
  const knock = async (url: string, secret?: string): Promise<number> => {
    const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
    return (await fetch(`${url}/version`, { headers })).status;
  };
  /** A running kernel reads the file once a second. */
  const becomes = (status: number, ask: () => Promise<number>): Promise<void> => expect.poll(ask).toBe(status);

  if (inLongTier) {
    test("are made, replaced and revoked while the kernel runs", async () => {
      const env = { FAIRLEAD_STATE_DIR: `${project.folder}/token-state` };
      const verb = (...words: readonly string[]) => run(["token", ...words], { env });
      const guarded = await up(env);
      const { url } = guarded;
      try {
        expect(await knock(url)).toBe(200);
        const made = await verb("create", "desk", "--access", "read");
        expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^fairlead_[\w-]{43}\n$/) });
        expect(made.err).toContain("from now on a running kernel refuses every caller without one");
        const first = made.out.trim();
        await becomes(401, () => knock(url));
        expect(await knock(url, first)).toBe(200);

        const rotated = await verb("rotate", "desk", "--json");
        const second = JSON.parse(rotated.out).token;
        await becomes(200, () => knock(url, second));
        expect(await knock(url, first)).toBe(200);
        const listed = JSON.parse((await verb("ls", "--json")).out);
        const entry = { name: "desk", access: ["read"], services: null, sha256: expect.any(String) };
        expect(listed.tokens).toEqual([
          { ...entry, state: "current", expires: null },
          { ...entry, state: "replaced", expires: expect.any(String) },
        ]);
        expect((await verb("ls")).out).toMatch(
          / ENDS\ndesk +current +read +all +never\ndesk +replaced +read +all +\d.*Z\n$/,
        );
        expect(JSON.stringify(listed)).not.toContain(second);

        await verb("rotate", "desk", "--keep", "0s");
        await becomes(401, () => knock(url, second));
        expect(await verb("revoke", "desk")).toMatchObject({
          code: 0,
          out: expect.stringContaining("desk is revoked"),
        });
        expect(await knock(url)).toBe(401);
        const log = JSON.parse((await verb("log", "--json")).out).changes as readonly { readonly change: string }[];
        expect(log.map(({ change }) => change)).toEqual(["create", "rotate", "rotate", "revoke"]);
      } finally {
        guarded.kernel.child.kill("SIGTERM");
        await guarded.kernel.ended;
      }
    });

    test("wrong arguments exit 2, 6 and 8", async () => {
      const env = { FAIRLEAD_STATE_DIR: `${project.folder}/other-state` };
      const verb = (...words: readonly string[]) => run(["token", ...words], { env });
      expect((await verb("rotate", "desk")).code).toBe(6);
      expect((await verb("revoke", "desk")).code).toBe(6);
      expect((await verb("create", "desk", "--expires", "soon")).code).toBe(2);
      expect((await verb("create", "desk", "--access", "write")).code).toBe(2);
      expect((await verb("create", "desk", "--services", "")).code).toBe(2);
      expect((await verb("create", "service:rules")).code).toBe(2);
      const unknown = await verb("create", "desk", "--services", "kernel,prob");
      expect(unknown.code).toBe(2);
      expect(parseError(unknown)).toMatchObject({
        message: expect.stringContaining('"prob"'),
        hint: "did you mean probe?",
      });
      expect((await verb("create", "desk")).code).toBe(0);
      expect((await verb("create", "desk")).code).toBe(8);
      const admin = await verb("create", "chief", "--access", "admin");
      expect(admin.err).toContain("make one with --access read,admin");
      expect(admin.err).not.toContain("first token");
      project.write("other-state/tokens.json", "{");
      const broken = await verb("ls");
      expect(broken).toMatchObject({ code: 2, err: expect.stringContaining("tokens.json") });
      expect((await run(["up", "--port", "0"], { env })).code).toBe(2);
    });
  }
});

describe("mcp serve", () => {
  test("answers on stdout with nothing but protocol, and ends with its input", async () => {
    const lines = [
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
      },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "echo", arguments: { text: "hi" } } },
    ];
    const serving = start(["mcp", "serve", "probe", "--stdio"], { cwd: project.folder });
    serving.child.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await serving.until(/"id":2/);
    serving.child.stdin.end();
    const { code, out } = await serving.ended;
    expect(code).toBe(0);
    const answers = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers[0]).toMatchObject({
      id: 1,
      result: {
        serverInfo: { name: "probe", version: "1.0.0", title: expect.any(String) },
        instructions: expect.any(String),
      },
    });
    expect(answers).toContainEqual(
      expect.objectContaining({
        id: 2,
        result: expect.objectContaining({ structuredContent: { text: "hi", list: [] } }),
      }),
    );
  });

  if (inLongTier) {
    test("needs --stdio, and a service that is there", async () => {
      expect((await run(["mcp", "serve"])).code).toBe(2);
      expect((await run(["mcp", "serve", "prob", "--stdio"])).code).toBe(6);
      expect((await run(["mcp", "serve", "probe", "prob", "--stdio"])).code).toBe(6);
    });
  }
});
