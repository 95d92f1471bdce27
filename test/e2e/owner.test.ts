/**
 * One kernel owns a state folder: what real processes do about a folder that another one owns, or owned until it was killed. Each test
 * has a folder of its own.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Command, type Ended, ownBin, run, type Started, start, stop } from "./command.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let command: Command;
let state: string;
const running: Started[] = [];

beforeEach(() => {
  const cwd = mkdtempSync(join(tmpdir(), "fairlead-owner-"));
  state = join(cwd, "state", "fairlead");
  command = { bin: ownBin, cwd, env: { XDG_STATE_HOME: join(cwd, "state"), FAIRLEAD_ONLY: "rules" } };
});
afterEach(async () => {
  for (const each of running.splice(0)) await stop(each);
  rmSync(command.cwd, { recursive: true, force: true, maxRetries: 5 });
});

interface UpDocument {
  readonly pid: number;
  readonly http: string;
}

const up = async (with_: Command = command): Promise<UpDocument> => {
  const started = start(with_, ["up", "--port", "0", "--json"]);
  running.push(started);
  return JSON.parse(await started.until(/\n/));
};

/** When the services of the kernel that answers were started: no two kernels have that in common. */
const kernelOf = async (args: readonly string[] = [], with_: Command = command): Promise<string> => {
  const { code, out, err } = await run(with_, ["call", "kernel.services", ...args]);
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  return out;
};

const errorIn = ({ err }: Ended) => JSON.parse(err.trimEnd().split("\n").at(-1) ?? "").error;
const record = (folder = state) => {
  const locks = readdirSync(join(folder, "owner")).filter((name) => name.endsWith(".json"));
  expect(locks.length).toBe(1);
  return JSON.parse(readFileSync(join(folder, "owner", locks[0] ?? ""), "utf8"));
};

describe("up", () => {
  it("is refused beside an owner before any service is opened, with its pid and its address", async () => {
    const owner = await up();
    const second = await run({ ...command, env: { ...command.env, FAIRLEAD_LOG_LEVEL: "debug" } }, [
      "up",
      "--port",
      "0",
    ]);
    expect(second).toMatchObject({ code: 8, out: "" });
    const url = owner.http.replace(/\/api$/, "");
    expect(errorIn(second)).toMatchObject({
      code: "already_exists",
      message: expect.stringContaining(`pid ${owner.pid}, ${url}`),
      hint: expect.stringContaining("--local"),
      data: { pid: owner.pid, url },
    });
    // The three lines of the error, and none of a service.
    expect(second.err.trimEnd().split("\n")).toHaveLength(3);
  });

  if (inLongTier) {
    it("takes the folder of an owner that was killed, and removes what it left", async () => {
      const owner = await up();
      const { socket } = record();
      running[0]?.child.kill("SIGKILL");
      await running[0]?.ended;
      const next = await up();
      expect(record()).toMatchObject({ pid: next.pid, phase: "open" });
      expect(next.pid).not.toBe(owner.pid);
      expect(existsSync(socket)).toBe(false);
    });

    it("takes the folder of a process whose pid is another's now, and of one before the last start of the machine", async () => {
      const first = await up();
      running[0]?.child.kill("SIGTERM");
      await running[0]?.ended;
      expect(record()).toMatchObject({ phase: "released", pid: first.pid });
      const stale = { ...record(), phase: "open", pid: process.pid };
      for (const change of [{ processStart: "1" }, { bootId: "another" }]) {
        const [lock = ""] = readdirSync(join(state, "owner"));
        writeFileSync(join(state, "owner", lock), JSON.stringify({ ...stale, ...change }));
        const next = await up();
        expect(record()).toMatchObject({ pid: next.pid });
        running.at(-1)?.child.kill("SIGTERM");
        await running.at(-1)?.ended;
      }
    });

    it("runs beside an owner with --local, and leaves its folder alone", async () => {
      await up();
      const before = record();
      const local = start(command, ["up", "--port", "0", "--json", "--local"]);
      running.push(local);
      await local.until(/\n/);
      expect(record()).toEqual(before);
    });
  }
});

if (inLongTier) {
  describe("a command", () => {
    it("uses the owner's kernel, and one of its own where there is no owner", async () => {
      const own = await kernelOf();
      expect(record()).toMatchObject({ phase: "released", command: "call" });
      await up();
      const first = await kernelOf();
      expect(first).not.toBe(own);
      expect(await kernelOf()).toBe(first);
      const listed = await run(command, ["services", "ls", "--json"]);
      expect(JSON.parse(listed.out).services).toEqual(JSON.parse(first).services);
      expect(await kernelOf(["--local"])).not.toBe(first);
    });

    it("says in what the owner differs, and does not use its services", async () => {
      await up();
      const owner = await kernelOf();
      const other = { ...command, env: { ...command.env, FAIRLEAD_ONLY: "rules,inspector" } };
      const called = await run(other, ["call", "kernel.services"]);
      expect(called.err).toMatch(/pid \d+.* has another configuration/);
      expect(called.out).toContain('"inspector"');
      expect(await kernelOf()).toBe(owner);
    });

    it("has the same kernel in every folder of a project, and another one in another project", async () => {
      const [inner, other] = [join(command.cwd, "a", "b"), join(command.cwd, "other")];
      mkdirSync(inner, { recursive: true });
      mkdirSync(join(other, ".git"), { recursive: true });
      writeFileSync(join(command.cwd, "fairlead.config.json"), "{}");
      await up();
      const kernel = await kernelOf();
      expect(await kernelOf([], { ...command, cwd: inner })).toBe(kernel);
      writeFileSync(join(other, "fairlead.config.json"), "{}");
      expect(await kernelOf([], { ...command, cwd: other })).not.toBe(kernel);
      expect(readdirSync(join(state, "projects"))).toHaveLength(2);
    });
  });

  describe("status and doctor", () => {
    it("show who owns the folder, and start nothing", async () => {
      expect(JSON.parse((await run(command, ["status", "--json"])).out)).toMatchObject({ folder: state, owner: null });
      const owner = await up();
      const shown = JSON.parse((await run(command, ["status", "--json"])).out);
      expect(shown.owner).toMatchObject({ pid: owner.pid, command: "up", state: "open", differs: [] });
      expect((await run(command, ["status"])).out).toContain(`(pid ${owner.pid}) owns ${state}`);
      const { out } = await run(command, ["doctor", "--json"]);
      expect(JSON.parse(out).rows).toContainEqual(
        expect.objectContaining({
          check: "owner of the state",
          result: "ok",
          detail: expect.stringContaining(`pid ${owner.pid}`),
        }),
      );
    });
  });
}
