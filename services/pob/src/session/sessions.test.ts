import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildXml, closeStages, hasLuajit, openStage, type Stage } from "../testing/stage.ts";

afterEach(closeStages);

const load = (stage: Stage, xml = buildXml()) => stage.call("luaLoadBuild", { build_xml: xml });

describe.runIf(hasLuajit)("sessions", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = openStage("stock");
    await load(stage);
  });

  test("sessions are apart: each has its build, and a stop of one is none of the other", async () => {
    const other = { session: "other" };
    expect(await stage.refused("luaGetStats", other)).toMatchObject({ reason: "not_loaded" });
    await stage.call("luaLoadBuild", { ...other, build_xml: buildXml({ level: 30 }) });
    const life = { fields: ["Life"] };
    expect(await stage.call("luaGetStats", { ...other, ...life })).toMatchObject({ stats: { Life: 418 } });
    expect(await stage.call("luaGetStats", life)).toMatchObject({ stats: { Life: 298 } });
    expect(await stage.refused("luaUndo", other)).toMatchObject({ reason: "nothing_to_undo" });
    expect(await stage.call("luaStop", other)).toContain("was stopped");
    expect(await stage.call("luaGetStats", life)).toMatchObject({ stats: { Life: 298 } });
    expect(await stage.refused("luaGetStats", { session: "a/b" })).toMatchObject({ code: "invalid_argument" });
  });

  test("more sessions than processes take turns, and none loses its build", async () => {
    const small = openStage("stock", { POB_PROCESSES: "2" });
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

  test("when every process is at work, one more session is refused and told so", async () => {
    const small = openStage("stock", { POB_PROCESSES: "1" });
    await load(small, buildXml({ classId: 1, nodes: [2], masteries: "" }));
    const stop = new AbortController();
    const refusal = Promise.withResolvers<unknown>();
    const onProgress = () =>
      refusal.resolve(small.refused("luaGetStats", { session: "b" }).finally(() => stop.abort()));
    await small.refused("luaRankNodes", { maxPoints: 3, workers: 2 }, { signal: stop.signal, onProgress });
    expect(await refusal.promise).toMatchObject({
      code: "resource_exhausted",
      hint: expect.stringContaining("lua_stop"),
    });
  });
});
