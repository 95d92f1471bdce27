/** Locks of git: one that a killed git of ours left is removed, and no other. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findGits, isRunning } from "../testing/process.ts";
import { sampleProposal } from "../testing/sample.ts";
import { LoopTestKernel } from "../testing/test-kernel.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

/** A real git that takes the index's lock and keeps it: it waits for more names. */
const holding = "sleep 600 | exec git update-index --stdin";

const source = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** A server that is asked for the branch of a ticket. */
const server = `
const { Project } = await import(${source("../session/project.ts")});
const { gitSetup } = await import(${source("../tool/ticket.ts")});
const [, folder, ticketId] = process.argv;
const options = { clock: Date.now, ids: () => "000000000000", warn: () => {}, qaEnvironment: [], qaTimeLimitMs: 1_000 };
await gitSetup(new Project("default", folder, options), { ticketId });
`;

let testKernel: LoopTestKernel;
let ticketId: string;
let lock: string;

const setUp = () => testKernel.call("gitSetup", { ticketId });

beforeEach(async () => {
  testKernel = new LoopTestKernel();
  await testKernel.scout([sampleProposal("Close the file")], { direct: false });
  ({ ticketId } = (await testKernel.call("nextTicket")) as { ticketId: string });
  lock = join(testKernel.repository.path, ".git/index.lock");
});
afterEach(() => testKernel.close());

const note = (pid: number): void =>
  writeFileSync(
    join(testKernel.repository.path, ".promptwheel/git-locks.json"),
    JSON.stringify({ pid, locks: [lock] }),
  );

/** The id of a process that has ended. */
const endedPid = async (): Promise<number> => {
  const process_ = spawn(process.execPath, ["--eval", ""], { stdio: "ignore" });
  await once(process_, "close");
  return process_.pid ?? 0;
};

describe.runIf(process.platform === "linux")("git_setup", () => {
  it("goes on after a SIGKILL of the server left the lock of its git", async () => {
    const { path } = testKernel.repository;
    testKernel.repository.write(
      ".git/bin/git",
      `#!/bin/sh\nPATH=\${PATH#*:}\ncase "$*" in *" switch "*) echo $$ > .git/git.pid; ${holding} ;; *) exec git "$@" ;; esac\n`,
    );
    chmodSync(join(path, ".git/bin/git"), 0o755);
    const running = spawn(
      process.execPath,
      ["--conditions=@fairlead/source", "--input-type=module", "--eval", server, path, ticketId],
      {
        stdio: ["ignore", "ignore", "inherit"],
        env: { ...process.env, PATH: `${join(path, ".git/bin")}${delimiter}${process.env.PATH ?? ""}` },
      },
    );
    await expect.poll(() => existsSync(lock)).toBe(true);
    running.kill("SIGKILL");
    await once(running, "close");
    expect(existsSync(lock)).toBe(true);
    // A git that is dying is waited for, but not as long as a busy machine may take.
    const pid = Number(readFileSync(join(path, ".git/git.pid"), "utf8"));
    await expect.poll(() => isRunning(pid) || findGits(path).length > 0).toBe(false);
    expect(await setUp()).toMatchObject({ branchName: `promptwheel/${ticketId}/close-the-file` });
    expect(existsSync(lock)).toBe(false);
    expect(testKernel.repository.git("branch", "--show-current").trim()).toBe(`promptwheel/${ticketId}/close-the-file`);
    expect(existsSync(join(path, ".promptwheel/git-locks.json"))).toBe(false);
  });

  const refused = { reason: "git_refused", message: expect.stringContaining("index.lock") };

  if (inLongTier) {
    it("leaves a lock that no killed git of ours can have made", async () => {
      testKernel.repository.write(".git/index.lock", "");
      await expect(setUp()).rejects.toMatchObject(refused);
      note(process.ppid);
      await expect(setUp()).rejects.toMatchObject(refused);
      expect(existsSync(lock)).toBe(true);
    });

    it("leaves a lock that a git in the repository holds by now, and takes it once that has ended", async () => {
      note(await endedPid());
      const other = spawn("git", ["update-index", "--stdin"], {
        cwd: testKernel.repository.path,
        stdio: ["pipe", "ignore", "ignore"],
      });
      await expect.poll(() => existsSync(lock)).toBe(true);
      await expect(setUp()).rejects.toMatchObject(refused);
      expect(existsSync(lock)).toBe(true);
      note(await endedPid());
      other.kill("SIGKILL");
      await once(other, "close");
      expect(existsSync(lock)).toBe(true);
      expect(await setUp()).toMatchObject({ ticketId });
    });

    it("removes nothing that git would not lock, whatever the note says", async () => {
      testKernel.repository.write("precious.lock", "mine");
      writeFileSync(
        join(testKernel.repository.path, ".promptwheel/git-locks.json"),
        JSON.stringify({ pid: await endedPid(), locks: [join(testKernel.repository.path, "precious.lock")] }),
      );
      await setUp();
      expect(readFileSync(join(testKernel.repository.path, "precious.lock"), "utf8")).toBe("mine");
      for (const text of ["", "{", '{"pid":-1,"locks":[]}', "[]"]) {
        testKernel.repository.write(".promptwheel/git-locks.json", text);
        expect(await setUp()).toMatchObject({ ticketId });
      }
    });
  }
});
