import { afterEach, describe, expect, test } from "vitest";
import { buildXml, closeTestKernels, hasLuajit, openTestKernel, type PobTestKernel } from "../testing/test-kernel.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

afterEach(closeTestKernels);

const load = (kernel: PobTestKernel, xml = buildXml()) => kernel.call("luaLoadBuild", { build_xml: xml });

describe.runIf(hasLuajit)("sessions", () => {
  test("sessions are apart: each has its build, and a stop of one is none of the other", async () => {
    const kernel = openTestKernel("stock");
    await load(kernel);
    const other = { session: "other" };
    expect(await kernel.callForError("luaGetStats", other)).toMatchObject({ reason: "not_loaded" });
    await kernel.call("luaLoadBuild", { ...other, build_xml: buildXml({ level: 30 }) });
    const life = { fields: ["Life"] };
    expect(await kernel.call("luaGetStats", { ...other, ...life })).toMatchObject({ stats: { Life: 418 } });
    expect(await kernel.call("luaGetStats", life)).toMatchObject({ stats: { Life: 298 } });
    expect(await kernel.callForError("luaUndo", other)).toMatchObject({ reason: "nothing_to_undo" });
    expect(await kernel.call("luaStop", other)).toContain("was stopped");
    expect(await kernel.call("luaGetStats", life)).toMatchObject({ stats: { Life: 298 } });
    expect(await kernel.callForError("luaGetStats", { session: "a/b" })).toMatchObject({ code: "invalid_argument" });
  });

  test("more sessions than processes take turns, and none loses its build", async () => {
    const small = openTestKernel("stock", { POB_PROCESSES: "2" });
    const names = ["a", "b", "c", "d"];
    for (const [index, session] of names.entries())
      await small.call("luaLoadBuild", { session, build_xml: buildXml({ level: 20 + index }) });
    expect(await small.processes()).toBe(2);
    for (const [index, session] of names.entries()) {
      expect(await small.call("luaGetStats", { session, fields: ["Life"] })).toMatchObject({
        stats: { Life: 298 + 12 * index },
        meta: { recovered: true },
      });
      expect(await small.processes()).toBe(2);
    }
  });

  const field = buildXml({ classId: 1, nodes: [2], masteries: "" });

  // Two processes compute without end until the refusal.
  if (inLongTier) {
    test("when every process is at work for a call's time, it is refused with the reason", async () => {
      const small = openTestKernel("stock", { POB_PROCESSES: "1" });
      await load(small, field);
      const stop = new AbortController();
      const refusal = Promise.withResolvers<unknown>();
      const late = { timeoutMs: 2_000 };
      const onProgress = () =>
        refusal.resolve(small.callForError("luaGetStats", { session: "b" }, late).finally(() => stop.abort()));
      const endless = { maxPoints: 3, workers: 2 };
      await small.callForError("luaRankNodes", endless, { signal: stop.signal, onProgress });
      expect(await refusal.promise).toMatchObject({
        code: "resource_exhausted",
        hint: expect.stringContaining("lua_stop"),
      });
    });

    test("many callers at once have no more processes than there may be, and all are answered", async () => {
      const small = openTestKernel("stock", { POB_PROCESSES: "2" });
      const sessions = Array.from({ length: inLongTier ? 20 : 6 }, (_, index) => `s${index}`);
      let most = 0;
      const answers = await Promise.all(
        sessions.map(async (session, index) => {
          await small.call(
            "luaLoadBuild",
            { session, build_xml: buildXml({ level: 20 + index }) },
            { timeoutMs: 120_000 },
          );
          most = Math.max(most, await small.processes());
          return small.call("luaGetStats", { session, fields: ["Life"] }, { timeoutMs: 120_000 });
        }),
      );
      expect(most).toBeLessThanOrEqual(2);
      expect(answers).toMatchObject(sessions.map((_, index) => ({ stats: { Life: 298 + 12 * index } })));
    });
  }

  test("a load starts a process without the build that it replaces, and leaves that when it fails", async () => {
    const small = openTestKernel("stock", { POB_PROCESSES: "1" });
    const put = (session: string, name: string, parts = {}) =>
      small.callForError("luaLoadBuild", { session, name, build_xml: buildXml(parts) });
    await put("a", "first");
    await put("b", "other");
    await put("a", "second", { level: 30 });
    // What a process prints comes by another pipe than its answer, and may come later.
    const loads = async () => (await small.printed()).filter((line) => line.startsWith("loading "));
    await expect.poll(loads).toEqual(["loading second"]);
    await put("b", "another");
    expect(await put("a", "third", { notes: "UNLOADABLE" })).toMatchObject({ reason: "bad_build" });
    expect(await small.call("luaGetStats", { session: "a", fields: ["Life"] })).toMatchObject({
      stats: { Life: 418 },
      meta: { recovered: true },
    });
  });
});
