/**
 * A worker on NATS that is paused, and continued when its calls were given up or its place is another's: what it finds then it neither runs nor answers.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { type Kernel, openKernel } from "@fairlead/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @boundaries-ignore the helper is the kernel's own
import { hasNats, type NatsServer, startNats } from "../../kernel/src/testing/nats-server.ts";
import { stampsService } from "./stamps.ts";

const secret = "a secret of this test alone";

interface Worker {
  readonly child: ChildProcess;
  readonly lines: Interface;
}

describe.runIf(hasNats())("a paused worker", () => {
  let folder: string;
  let server: NatsServer;
  let front: Kernel;
  const workers: ChildProcess[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "fairlead-fencing-"));
    server = await startNats();
    front = await openKernel({
      services: [stampsService],
      flags: { stateDir: join(folder, "front"), nats: { servers: server.url, places: 1 } },
      env: { FAIRLEAD_NATS_SECRET: secret },
      log: () => undefined,
    });
    await front.started();
  });
  afterEach(async () => {
    for (const child of workers.splice(0)) child.kill("SIGKILL");
    await front.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const startWorker = async (name: string): Promise<Worker> => {
    const script = join(import.meta.dirname, "stamps.ts");
    const child = spawn(process.execPath, ["--conditions", "@fairlead/source", script], {
      env: {
        PATH: process.env.PATH,
        FAIRLEAD_NATS_SECRET: secret,
        STAMPS_FILE: join(folder, "stamps"),
        STAMPS_NODE: name,
        STAMPS_STATE: join(folder, name),
        STAMPS_NATS: server.url,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    workers.push(child);
    const lines = createInterface({ input: child.stdout });
    const [first] = await once(lines, "line");
    expect(first).toBe("takes calls");
    return { child, lines };
  };
  const add = (id: string) => front.connect().call("stamps.add", { key: "k", id }, { idempotencyKey: id });
  const noted = (): readonly string[] => readFileSync(join(folder, "stamps"), "utf8").trim().split("\n");
  const lost = { ok: false, error: { code: "unavailable", message: expect.stringMatching(/may have run/) } };

  it("gives way to whoever has its place now, and runs nothing that was sent to it", async () => {
    const first = await startWorker("first");
    expect(await add("before")).toMatchObject({ ok: true, value: { node: "first" } });
    first.child.kill("SIGSTOP");
    const sent = await Promise.all(["1", "2", "3"].map(add));
    for (const reply of sent) expect(reply).toMatchObject(lost);

    await startWorker("second");
    await expect.poll(() => add("after")).toMatchObject({ ok: true, value: { node: "second" } });
    const said = once(first.lines, "line");
    const ended = once(first.child, "exit");
    first.child.kill("SIGCONT");
    expect(await said).toEqual(["place 1 of 1 was taken over by second while this worker did not answer"]);
    expect(await add("last")).toMatchObject({ ok: true, value: { node: "second" } });
    await ended;
    expect(noted().filter((line) => line.endsWith("first"))).toEqual(["before first"]);
    // The answer of a key that was lost stays unknown.
    expect(await add("1")).toMatchObject({ ok: false });
  });

  it("goes on where no other has its place, and runs only what is still waited for", async () => {
    const { child } = await startWorker("first");
    expect(await add("before")).toMatchObject({ ok: true, value: { node: "first" } });
    child.kill("SIGSTOP");
    const call = (id: string) => front.connect().call("stamps.anywhere", { id });
    const given = await Promise.all([add("keyed"), call("stateless")]);
    for (const reply of given) expect(reply).toMatchObject(lost);
    const waited = [add("waited"), call("waited-anywhere")];
    child.kill("SIGCONT");
    for (const reply of await Promise.all(waited)) expect(reply).toMatchObject({ ok: true, value: { node: "first" } });
    expect(await add("last")).toMatchObject({ ok: true, value: { node: "first" } });
    expect(noted().toSorted()).toEqual(
      ["before first", "last first", "waited-anywhere first", "waited first"].toSorted(),
    );
  });
});
