/** Calls of what a contract deprecates, old names among it, are counted for each caller. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, deprecated, query } from "@fairlead/contracts";
import { expect, it } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { kernelFigures } from "../boot/figures.ts";
import { localPrincipal } from "../call/call.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";

const name = z
  .string()
  .optional()
  .meta(deprecated({ since: "1.1.0", use: "title" }));
const contract = defineContract({
  id: "probe",
  version: "1.2.0",
  summary: "Counts.",
  procedures: {
    old: query({ summary: "Old.", input: z.object({}), output: z.int(), deprecated: { since: "1.2.0" } }),
    find: query({ summary: "Finds.", input: z.object({}), output: z.int(), renamedFrom: { seek: { since: "1.2.0" } } }),
    look: query({ summary: "Looks.", input: z.object({ name, title: z.string().optional() }), output: z.int() }),
  },
});

it("by procedure, field and caller", async () => {
  const composition = compose({
    config: readConfig({ flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-deprecated-")) } }),
    services: [defineService(contract, () => ({ handlers: { old: () => 1, look: () => 1, find: () => 2 } }))],
    sections: new Map(),
    env: {},
    events: makeEvents(),
    log: () => undefined,
    schema: async () => undefined,
  });
  const [local, other] = [localPrincipal, { ...localPrincipal, id: "other" }].map((each) =>
    connect(composition.dispatch, each),
  );
  await local?.call("probe.old", {});
  expect(await local?.call("probe.seek", {})).toEqual({ ok: true, value: 2 });
  expect(await local?.call("probe.find", {})).toEqual({ ok: true, value: 2 });
  await local?.call("probe.look", { title: "x" });
  for (const input of [{ name: "x" }, { name: "y" }, { name: 5 }]) await other?.call("probe.look", input);
  const figures = kernelFigures({ ...composition, subscriptions: new Set() })();
  expect(figures.split("\n").filter((line) => line.startsWith("fairlead_deprecated_uses_total"))).toEqual([
    `fairlead_deprecated_uses_total{procedure="probe.old",part="",caller="${localPrincipal.id}"} 1`,
    'fairlead_deprecated_uses_total{procedure="probe.look",part="name",caller="other"} 3',
    `fairlead_deprecated_uses_total{procedure="probe.seek",part="",caller="${localPrincipal.id}"} 1`,
  ]);
  await composition.close();
});
