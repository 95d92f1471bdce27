import { expect, it } from "vitest";
import type { ServiceStatus } from "../api/kernel.ts";
import { doctorRows } from "./rows.ts";

const service = (id: string, given: Partial<ServiceStatus> = {}): ServiceStatus => ({
  id,
  version: "1.0.0",
  summary: "",
  state: "Ready",
  since: "2026-01-01T00:00:00.000Z",
  waitsFor: null,
  nextStartAt: null,
  degraded: null,
  procedures: 1,
  restarts: 0,
  children: [],
  ...given,
});

it("shows what does not work first, and why", () => {
  const rows = doctorRows(
    [
      service("notes"),
      service("pob", { degraded: { why: "there is no LuaJIT", fix: "install it" } }),
      service("rules", { state: "Failed" }),
      service("late", { state: "Starting", waitsFor: "rules" }),
    ],
    [
      { service: "notes", details: { checks: [{ name: "disk", ok: true, detail: "40 GB free" }, "<b>", { name: 1 }] } },
      { service: "pob", details: { checks: "none" } },
      { service: "rules", problem: "it is not up" },
    ],
  );
  expect(rows.map(({ service: id, check, result }) => `${result}: ${id} ${check}`)).toEqual([
    "failed: rules state",
    "warning: pob state",
    "unknown: rules what it reports",
    "unknown: late state",
    "ok: notes state",
    "ok: notes disk",
  ]);
  expect(rows[1]).toMatchObject({ detail: "there is no LuaJIT", fix: "install it" });
});
