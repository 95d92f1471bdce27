import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { actor, call, marked, start, stopAll, until } from "../../testing/stage.fixture.ts";
import type { SubprocessSpec } from "../protocol/spec.ts";
import type { ContainmentKind } from "../spawn/launch.ts";
import { probeContainment } from "../spawn/probe.ts";

afterEach(stopAll);

const containment = await probeContainment();
const holds = {
  namespace: containment.kind === "namespace",
  cgroup: containment.commands === "cgroup",
} as const;

describe.each(["namespace", "cgroup"] as const)("held by a %s", (kind) => {
  const holding: ContainmentKind = { kind, denials: [] };

  test.skipIf(!holds[kind])("a descendant in another session dies with the child", async () => {
    const mark = `mark-${randomUUID()}`;
    const child = start(actor([], { env: { set: { FAIRLEAD_MARK: mark } } }), holding);
    await child.ready;
    await child.ask(call("family", { escape: true }));
    await until(() => marked(mark, "sleep") === 1);
    await child.stop();
    await until(() => marked(mark) === 0);
  });

  test.skipIf(!holds[kind])("the signal that killed the program itself is still known", async () => {
    const child = start(actor(), holding);
    await child.ready;
    await expect(child.ask(call("kill"))).rejects.toMatchObject({
      message: expect.stringMatching(/^actor was killed by SIGKILL while working$/),
      fault: { kind: "exited", exit: { signal: "SIGKILL" } },
    });
  });
});

test.skipIf(!containment.denials.includes("network"))(
  "a child without network reaches no address, one with it does",
  async () => {
    const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const reach = async (spec: SubprocessSpec) => {
      const child = start(spec, { kind: "namespace", denials: ["network"] });
      await child.ready;
      return await child.ask(call("connect", { port }));
    };
    expect(await reach(actor())).toMatchObject({ value: "connected" });
    expect(await reach(actor([], { deny: ["network"] }))).toMatchObject({ value: "ENETUNREACH" });
    server.close();
  },
);

test.skipIf(!containment.denials.includes("writing"))(
  "a child that may not write cannot, and cannot give itself leave",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "fairlead child "));
    const write = `echo x > '${folder}/x'`;
    const allow = `mount -o remount,bind,rw "$(findmnt -n -o TARGET -T '${folder}')"`;
    const run = async (spec: SubprocessSpec, line: string) => {
      const child = start(spec, { kind: "namespace", denials: ["writing"] });
      await child.ready;
      return ((await child.ask(call("shell", { line }))).value === 0 ? "done" : "refused") as string;
    };
    expect(await run(actor(), write)).toBe("done");
    const denied = actor([], { deny: ["writing"] });
    expect(await run(denied, `cat '${folder}/x' > /dev/null`)).toBe("done");
    const tries = [write, `rm '${folder}/x'`, `mkdir '${folder}/y'`, `${allow}; ${write}`];
    for (const line of [...tries, `unshare --user --map-root-user --mount sh -c "${allow}; ${write}"`]) {
      expect(await run(denied, line)).toBe("refused");
    }
    rmSync(folder, { recursive: true });
  },
);

test.skipIf(!containment.denials.includes("writing"))(
  "a child that may not write may do so in folders of its own, and finds hidden ones empty",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "fairlead child "));
    const [own, secret] = [join(folder, "its own"), join(folder, "secret")];
    mkdirSync(own);
    mkdirSync(secret);
    writeFileSync(join(secret, "key"), "x");
    const folders = { writable: [own], hidden: [secret] };
    const child = start(actor([], { cwd: own, deny: ["writing"], folders }), {
      kind: "namespace",
      denials: ["writing"],
    });
    await child.ready;
    const run = async (line: string) => (await child.ask(call("shell", { line }))).value === 0;
    expect(await run("echo x > by-cwd")).toBe(true);
    expect(await run(`echo x > '${own}/by-path'`)).toBe(true);
    expect(await run(`echo x > '${folder}/x'`)).toBe(false);
    expect(await run(`cat '${secret}/key'`)).toBe(false);
    expect(await run(`test -z "$(ls -A '${secret}')"`)).toBe(true);
    expect(await run(`echo x > '${secret}/x'`)).toBe(false);
    expect(await run(`umount '${secret}'`)).toBe(false);
    await child.stop();
    expect(readdirSync(own).toSorted()).toEqual(["by-cwd", "by-path"]);
    expect(readdirSync(secret)).toEqual(["key"]);
    rmSync(folder, { recursive: true });
  },
);

test.skipIf(!containment.denials.includes("writing"))(
  "what is mounted is read-only whatever its path has in it",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "fairlead child "));
    const hidden = ["a 7", "a\t1", "a\n", "100% s", "b\\\\0401 %d", "plain"].map((name) => join(folder, name));
    for (const path of hidden) mkdirSync(path);
    const child = start(actor([], { cwd: folder, deny: ["writing"], folders: { hidden } }), {
      kind: "namespace",
      denials: ["writing"],
    });
    await child.ready;
    for (const path of hidden) {
      const { value } = await child.ask(call("shell", { line: `test -d '${path}' && echo x > '${path}/x'` }));
      expect([path, value === 0]).toEqual([path, false]);
    }
    await child.stop();
    rmSync(folder, { recursive: true });
  },
);

test.skipIf(!containment.denials.includes("writing"))(
  "folders may be links, end with a slash and be inside one another",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "fairlead-child-"));
    for (const name of ["plain", "linked", "linked/deep", "own/secret/deeper"])
      mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, "own", "secret", "key"), "x");
    symlinkSync(join(folder, "linked"), join(folder, "link"));
    symlinkSync(join(folder, "own"), join(folder, "other"));
    const at = (...names: readonly string[]) => names.map((name) => `${folder}/${name}`);
    const folders = {
      writable: at("plain/", "link/deep", "own", "own/secret/deeper"),
      hidden: at("other/secret/", "own/secret", "own/secret/deeper"),
    };
    const child = start(actor([], { cwd: folder, deny: ["writing"], folders }), {
      kind: "namespace",
      denials: ["writing"],
    });
    await child.ready;
    const run = async (line: string) => (await child.ask(call("shell", { line }))).value === 0;
    for (const name of ["plain", "linked/deep", "link/deep", "own", "other"])
      expect([name, await run(`echo x > ${name}/x`)]).toEqual([name, true]);
    for (const line of ["echo x > linked/x", "cat own/secret/key", "ls own/secret/deeper", "echo x > own/secret/x"])
      expect([line, await run(line)]).toEqual([line, false]);
    await child.stop();
    rmSync(folder, { recursive: true });
  },
);

test.runIf(process.platform === "linux")(
  "a child that wants more memory than it may have does not get it",
  async () => {
    const child = start(actor([], { limits: { addressBytes: 2_000 * 1_048_576 } }));
    await child.ready;
    expect(await child.ask(call("hoard", { megabytes: 10 }))).toMatchObject({ value: 10 });
    await expect(child.ask(call("hoard", { megabytes: 4_000 }))).rejects.toMatchObject({
      fault: { kind: "exited", exit: { signal: expect.stringMatching(/SIGABRT|SIGTRAP/) } },
    });
  },
);
