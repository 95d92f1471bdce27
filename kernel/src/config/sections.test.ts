import { defineContract, query } from "@fairlead/contracts";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { openMemoryKernel } from "../memory.ts";
import { defineService } from "../service/service.ts";
import { readConfig } from "./config.ts";
import { refuseUnknownServices } from "./sections.ts";

const contract = defineContract({
  id: "lamp",
  version: "1.0.0",
  summary: "A lamp.",
  procedures: { ask: query({ summary: "Asks.", input: z.object({}), output: z.int() }) },
});

const config = z.strictObject({
  watts: z.int().min(1).default(40),
  rooms: z.record(z.string(), z.strictObject({ wattage: z.int() })).default({}),
});

const lamp = defineService(contract, (host) => ({ handlers: { ask: () => host.config.watts } }), { config });
const plain = defineService({ ...contract, id: "plain" }, () => ({ handlers: { ask: () => 1 } }));

const refusal = (sections: Readonly<Record<string, unknown>>): unknown => {
  try {
    return openMemoryKernel([lamp, plain], { config: sections, env: {} });
  } catch (error) {
    return error;
  }
};

/** Its settings are plain objects: a call would drop what they do not know. */
const easy = defineService({ ...contract, id: "easy" }, () => ({ handlers: { ask: () => 1 } }), {
  config: z.object({
    watts: z.int().default(40),
    rooms: z.array(z.object({ name: z.string() })).default([]),
    open: z.looseObject({ a: z.int().optional() }).default({}),
    both: z.intersection(z.object({ a: z.int() }), z.object({ b: z.int() })).optional(),
  }),
});

describe("a section of plain objects", () => {
  it.each([
    ["a misspelt key", { wats: 1 }, "services.easy.wats"],
    ["one deep inside", { rooms: [{ name: "hall", nam: "x" }] }, "services.easy.rooms[0].nam"],
    ["one that neither half of an intersection knows", { both: { a: 1, b: 2, c: 3 } }, "services.easy.both.c"],
  ])("%s is refused", (_, section, path) => {
    expect(() => openMemoryKernel([easy], { config: { easy: section }, env: {} })).toThrow(
      expect.objectContaining({ code: "invalid_argument", issues: [expect.objectContaining({ path })] }),
    );
  });

  it("takes further keys where the schema says that there are some", async () => {
    const section = { open: { a: 1, b: 2 }, both: { a: 1, b: 2 } };
    await openMemoryKernel([easy], { config: { easy: section }, env: {} }).close();
  });
});

describe("a service's section of the configuration", () => {
  it("is decoded by the service's own schema, also when it is left out", async () => {
    for (const [sections, watts] of [[{ lamp: { watts: 60 } }, 60] as const, [{}, 40] as const]) {
      const kernel = openMemoryKernel([lamp], { config: sections, env: {} });
      expect(await kernel.call("lamp.ask", {})).toEqual({ ok: true, value: watts });
      await kernel.close();
    }
  });

  it.each([
    ["a misspelt key", { lamp: { wats: 1 } }, "services.lamp.wats", "did you mean watts?"],
    [
      "one deep inside",
      { lamp: { rooms: { hall: { watage: 1, wattage: 2 } } } },
      "services.lamp.rooms.hall.watage",
      "did you mean wattage?",
    ],
    ["a wrong value", { lamp: { watts: "many" } }, "services.lamp.watts", "give `services.lamp.watts` a number"],
    ["no object", { lamp: [] }, "services.lamp", "give `services.lamp` an object"],
    ["a section for a service without settings", { plain: {} }, "services.plain", expect.stringContaining("remove it")],
    ["a section for no service", { lmap: {} }, "services.lmap", "did you mean lamp?"],
  ])("%s is refused with its path, and the service is never started", (_, sections, path, fix) => {
    const start = vi.spyOn(lamp, "start");
    expect(refusal(sections)).toMatchObject({ code: "invalid_argument", issues: [{ path, fix }] });
    expect(start).not.toHaveBeenCalled();
    start.mockRestore();
  });

  it("is the configuration's own, also for an id that every object has", async () => {
    const common = defineService({ ...contract, id: "constructor" }, () => ({ handlers: { ask: () => 1 } }));
    await openMemoryKernel([common], { config: {}, env: {} }).close();
  });

  it("all mistakes are reported at once, over all services", () => {
    expect(refusal({ lamp: { wats: 1, watts: 0 }, plain: {} })).toMatchObject({
      message: "the configuration has 3 errors",
      issues: [{ path: "services.lamp.watts" }, { path: "services.lamp.wats" }, { path: "services.plain" }],
    });
  });
});

const token = (services: readonly string[]) => ({ name: "app", sha256: "0".repeat(64), services });

const unknownIn = (file: object): unknown => {
  try {
    refuseUnknownServices(readConfig({ file }), ["inspector", "rules"]);
    return undefined;
  } catch (error) {
    return error;
  }
};

it("takes the services there are, and the kernel itself where a caller may be allowed it", () => {
  expect(
    unknownIn({ services: { rules: {} }, only: ["inspector"], tokens: [token(["rules", "kernel"])] }),
  ).toBeUndefined();
});

it("names the variable that named a service that is not there", () => {
  const env = { FAIRLEAD_ONLY: "rules,ruels" };
  expect(() => refuseUnknownServices(readConfig({ env }), ["rules"], env)).toThrow(
    expect.objectContaining({ issues: [expect.objectContaining({ path: "FAIRLEAD_ONLY[1]" })] }),
  );
});

it.each([
  ["a section", { services: { inspectr: {} } }, "services.inspectr", "did you mean inspector?"],
  ["a section of the kernel's own service", { services: { kernel: {} } }, "services.kernel", 'remove "kernel"'],
  ["a service to run", { only: ["rules", "ruels"] }, "only[1]", "did you mean rules?"],
  ["a token's service", { tokens: [token(["rule"])] }, "tokens[0].services[0]", "did you mean rules?"],
])("refuses %s that is not there, with its path and the nearest id", (_, file, path, fix) => {
  expect(unknownIn(file)).toMatchObject({ code: "invalid_argument", issues: [{ path, fix }] });
});
