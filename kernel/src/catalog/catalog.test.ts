import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, query } from "@fairlead/contracts";
import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { type Composition, compose } from "../boot/composition.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { Relays } from "../dispatch/relays.ts";
import { ServiceInstance } from "../host/service-instance.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";
import { LiveCatalog } from "./catalog.ts";

const ask = query({ summary: "Asks.", input: z.object({}), output: z.int() });
const lamp = defineContract({ id: "lamp", version: "1.0.0", summary: "A lamp.", procedures: { ask, shine: ask } });

let composition: Composition | undefined;
afterEach(() => composition?.close());

/** A service whose `shine` is switched off while the variable says so, read at each start. */
const start = async () => {
  const at: { off: string | undefined; starts: number } = { off: undefined, starts: 0 };
  const service = defineService(lamp, () => {
    at.starts += 1;
    const off = at.off === undefined ? {} : { shine: at.off };
    return { off: () => off, handlers: { ask: () => 1, shine: () => 2 } };
  });
  composition = compose({
    config: readConfig({ flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-")) } }),
    services: [service],
    env: {},
    events: makeEvents(),
    log: () => undefined,
    schema: async () => undefined,
  });
  const { catalog, dispatch } = composition;
  const memory = connect(dispatch);
  await memory.call("lamp.ask", {});
  const restart = async (): Promise<void> => {
    const { starts } = at;
    await memory.call("kernel.restart", { service: "lamp" });
    while (at.starts === starts) await new Promise((resolve) => setImmediate(resolve));
    await memory.call("lamp.ask", {});
  };
  return { at, catalog, memory, restart };
};

test("says what is offered, what there is, and why something is not offered", async () => {
  const { at, catalog, memory, restart } = await start();
  expect(catalog.find("lamp.shine")?.name).toBe("lamp.shine");
  at.off = "the bulb is broken";
  await restart();
  expect(catalog.find("lamp.shine")).toBeUndefined();
  expect(catalog.list().map(({ name }) => name)).not.toContain("lamp.shine");
  expect(catalog.all().map(({ name }) => name)).toContain("lamp.shine");
  expect(catalog.explain("lamp.shine")).toMatchObject({
    code: "unimplemented",
    message: "lamp.shine is switched off: the bulb is broken",
  });
  expect(await memory.call("kernel.describe", { service: "lamp", procedure: "shine" })).toMatchObject({
    error: { reason: "unknown_procedure", message: "the procedure is switched off: the bulb is broken" },
  });
  for (const procedure of ["shin", "constructor"])
    expect(await memory.call("kernel.describe", { service: "lamp", procedure })).toMatchObject({
      error: { reason: "unknown_procedure", message: "the service has no procedure of that name" },
    });
  expect(catalog.explain("lamp.shin")).toMatchObject({
    code: "not_found",
    message: expect.stringContaining("lamp.shine?"),
  });
});

test("reports when a service came back with another offer, and only then", async () => {
  const { at, catalog, restart } = await start();
  let told = 0;
  const leave = catalog.onChange(() => {
    told += 1;
  });
  await restart();
  expect(told).toBe(0);
  at.off = "the bulb is broken";
  await restart();
  expect(told).toBe(1);
  at.off = undefined;
  await restart();
  expect(told).toBe(2);
  leave();
  at.off = "again";
  await restart();
  expect(told).toBe(2);
});

test("names a service that could not be loaded, and repeats nothing of the name that was sent", () => {
  const instance = new ServiceInstance({ ...lamp, procedures: {} }, 0);
  const error = { code: "unavailable", message: "its import did not end", retryable: false } as const;
  instance.follow({ tag: "Failed", since: 0, error });
  const instances = new Map([["lamp", instance]]);
  const catalog = new LiveCatalog(new Map(), new Relays(instances, new Map()), instances);
  expect(catalog.explain("lamp.secret")).toMatchObject({
    code: "unavailable",
    message: "lamp is not available: its import did not end",
  });
});
