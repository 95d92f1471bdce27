import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildXml, closeTestKernels, hasLuajit, openTestKernel, type PobTestKernel } from "../testing/test-kernel.ts";

afterEach(closeTestKernels);

const load = (kernel: PobTestKernel, xml = buildXml()) => kernel.call("luaLoadBuild", { build_xml: xml });

describe.runIf(hasLuajit)("sessions", () => {
  let kernel: PobTestKernel;
  beforeEach(async () => {
    kernel = openTestKernel("stock");
    await load(kernel);
  });

  test("sessions are apart: each has its build, and a stop of one is none of the other", async () => {
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

  test("when every process is at work, one more session is refused with the reason", async () => {
    const small = openTestKernel("stock", { POB_PROCESSES: "1" });
    await load(small, buildXml({ classId: 1, nodes: [2], masteries: "" }));
    const stop = new AbortController();
    const refusal = Promise.withResolvers<unknown>();
    const onProgress = () =>
      refusal.resolve(small.callForError("luaGetStats", { session: "b" }).finally(() => stop.abort()));
    await small.callForError("luaRankNodes", { maxPoints: 3, workers: 2 }, { signal: stop.signal, onProgress });
    expect(await refusal.promise).toMatchObject({
      code: "resource_exhausted",
      hint: expect.stringContaining("lua_stop"),
    });
  });
});
