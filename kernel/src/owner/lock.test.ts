/** Lock files on a disk: what is written, who is recognized, what a power cut or another Fairlead may leave. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configurationDigest, sourceDigest } from "./decide.ts";
import { claimLock, readLatestOwner } from "./lock.ts";
import { longestSocketPath, projectStateFolder, socketPlaces } from "./places.ts";
import { examineProcess, ownIdentity, parseProcessStart } from "./process-identity.ts";
import type { OwnerRecord } from "./record.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const record: OwnerRecord = {
  ...ownIdentity(),
  schema: 1,
  startedAt: "2026-01-01T00:00:00.000Z",
  command: "up",
  version: "1.0.0",
  user: "1000",
  configuration: "abc",
  socket: "/run/x.sock",
  key: "0123456789abcdef",
  url: null,
  phase: "open",
};

describe("a lock file", () => {
  test("is read as it was written, by its user alone, and follows its owner", () => {
    const lock = claimLock(folder, 1, record);
    expect(readLatestOwner(folder)).toEqual({ number: 1, parsed: { kind: "owner", record } });
    expect(statSync(join(folder, "1.json")).mode & 0o777).toBe(0o600);
    lock?.update({ url: "http://127.0.0.1:5099" });
    lock?.update({ phase: "released" });
    const changed = { ...record, url: "http://127.0.0.1:5099", phase: "released" };
    expect(readLatestOwner(folder).parsed).toEqual({ kind: "owner", record: changed });
    expect(readdirSync(folder)).toEqual(["1.json"]);
  });

  test("is made by one process, and the next owner removes it", () => {
    expect(claimLock(folder, 1, record)).toBeDefined();
    expect(claimLock(folder, 1, record)).toBeUndefined();
    expect(claimLock(folder, 2, record)).toBeDefined();
    expect(readdirSync(folder)).toEqual(["2.json"]);
    expect(claimLock(folder, 1, record)).toBeUndefined();
    expect(readdirSync(folder)).toEqual(["2.json"]);
  });

  test("that a power cut emptied counts as none, one of another schema does not", () => {
    expect(readLatestOwner(folder).number).toBe(0);
    writeFileSync(join(folder, "3.json"), "");
    expect(readLatestOwner(folder)).toEqual({ number: 3, parsed: { kind: "unreadable" } });
    writeFileSync(join(folder, "4.json"), '{"schema":2,"pid":17}');
    expect(readLatestOwner(folder)).toEqual({ number: 4, parsed: { kind: "foreign", pid: 17 } });
  });
});

describe("a process", () => {
  const own = ownIdentity();

  test("is the same while it runs, and gone once it has ended or its pid is another's", async () => {
    expect(examineProcess(own, own).process).toBe(own.processStart === "" ? "unknown" : "same");
    if (own.processStart !== "") expect(examineProcess({ ...own, processStart: "1" }, own).process).toBe("gone");
    const child = spawn(process.execPath, ["-e", "0"]);
    const { pid = 0 } = child;
    await new Promise((resolve) => child.once("close", resolve));
    expect(examineProcess({ ...own, pid }, own).process).toBe("gone");
  });

  test.each([
    ["runs", "S", "4194560", "2731136"],
    ["is a zombie", "Z", "4227084", "ended"],
    ["was killed and has not ended yet", "R", "4195332", "ended"],
  ])("that %s, by its line of the system", (_, state, flags, start) => {
    const line = `4711 (a) S b) ${state} 1 4711 4711 0 -1 ${flags} 9 0 0 0 1 2 0 0 20 0 11 0 2731136 1234 99`;
    expect(parseProcessStart(line)).toBe(start);
  });

  test("of another container or another start of the system cannot be identified by its pid", () => {
    expect(examineProcess({ ...own, pidSpace: "pid:[1]" }, own).process).toBe("unknown");
    expect(examineProcess({ ...own, bootId: "other" }, { ...own, bootId: "own" }).boot).toBe("other");
  });
});

describe("a socket", () => {
  const options = { name: "0123456789ab", platform: "linux", env: {}, user: "1000", temporary: "/tmp" };

  test("is beside the lock while its path is short enough, and in the system's own folders otherwise", () => {
    expect(socketPlaces({ ...options, ownerFolder: "/state/owner" })[0]?.path).toBe("/state/owner/0123456789ab.sock");
    const long = socketPlaces({
      ...options,
      ownerFolder: `/${"x".repeat(120)}`,
      env: { XDG_RUNTIME_DIR: "/run/user/1" },
    });
    expect(long.map(({ folder }) => folder)).toEqual(["/run/user/1/fairlead", "/tmp/fairlead-1000"]);
    for (const { path } of long) expect(Buffer.byteLength(path)).toBeLessThanOrEqual(longestSocketPath);
  });

  test("is a named pipe on Windows", () => {
    const [place] = socketPlaces({ ...options, platform: "win32", ownerFolder: "C:\\state" });
    expect(place).toEqual({ path: "\\\\.\\pipe\\fairlead-0123456789ab", folder: undefined });
  });
});

describe("terms", () => {
  const source = { folder: "/p", value: { port: 1, services: { b: 1, a: 2 } }, env: {} };

  test("differ with what services see, and not with the network or the order of members", () => {
    const digest = configurationDigest(source);
    expect(configurationDigest({ ...source, value: { services: { a: 2, b: 1 }, port: 2 } })).toBe(digest);
    expect(configurationDigest({ ...source, value: { services: { a: 3, b: 1 } } })).not.toBe(digest);
    expect(configurationDigest({ ...source, env: { FAIRLEAD_ONLY: "rules" } })).not.toBe(digest);
    expect(configurationDigest({ ...source, folder: "/q" })).not.toBe(digest);
  });

  test("differ with the text of the configuration file, and not with what it reads from the environment", () => {
    const text = "export default { services: { a: process.env.KEY } };";
    const digest = sourceDigest({ folder: "/p", text, env: {} });
    expect(sourceDigest({ folder: "/p", text, env: { KEY: "a" } })).toBe(digest);
    expect(sourceDigest({ folder: "/p", text: `${text}\n`, env: {} })).not.toBe(digest);
    expect(sourceDigest({ folder: "/q", text, env: {} })).not.toBe(digest);
    expect(sourceDigest({ folder: "/p", text, env: { FAIRLEAD_ONLY: "rules" } })).not.toBe(digest);
  });

  test("a project's folder is named by its root", () => {
    expect(projectStateFolder("/s", undefined)).toBe("/s");
    expect(projectStateFolder("/s", "/home/me/my app")).toMatch(/^\/s\/projects\/my-app-[0-9a-f]{12}$/);
    expect(projectStateFolder("/s", "/a/app")).not.toBe(projectStateFolder("/s", "/b/app"));
  });
});
