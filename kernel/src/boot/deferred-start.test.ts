/** A kernel that is opened for some of its services starts the others when something needs them. */
import { defineContract, query } from "@fairlead/contracts";
import { afterEach, expect, it } from "vitest";
import * as z from "zod";
import { defineService } from "../service/service.ts";
import { type Kernel, openKernel } from "./kernel.ts";

const started: string[] = [];
let kernel: Kernel | undefined;
afterEach(async () => {
  await kernel?.close();
  started.length = 0;
});

const contractOf = (id: string) =>
  defineContract({
    id,
    version: "1.0.0",
    summary: "Answers.",
    procedures: {
      ask: query({ summary: "Answers.", input: z.object({ peer: z.string().optional() }), output: z.string() }),
    },
  });

/** `ask` answers with the id, or with what another service answers. */
const service = (id: string, startAfter: readonly string[] = []) =>
  defineService(
    contractOf(id),
    (host) => {
      started.push(id);
      const ask = ({ peer }: { readonly peer?: string | undefined }) =>
        peer === undefined ? id : host.peer(contractOf(peer)).ask({});
      return { handlers: { ask } };
    },
    { supervision: { startAfter } },
  );

const open = async (starts?: readonly string[]): Promise<Kernel> => {
  kernel = await openKernel({
    env: {},
    log: () => undefined,
    services: [service("disk"), service("notes", ["disk"]), service("mail"), service("maps")],
    ...(starts !== undefined && { starts }),
  });
  await kernel.started();
  return kernel;
};
const ask = async (procedure: string, input: object = {}) => (await open(["notes"])).connect().call(procedure, input);

it("starts all services where none are named", async () => {
  await open();
  expect(started.toSorted()).toEqual(["disk", "mail", "maps", "notes"]);
});

it("starts the named ones after those that they need, and no other", async () => {
  await open(["notes"]);
  expect(started).toEqual(["disk", "notes"]);
});

it("starts another one for its first call, once", async () => {
  expect(await ask("mail.ask")).toEqual({ ok: true, value: "mail" });
  await kernel?.connect().call("mail.ask", {});
  expect(started).toEqual(["disk", "notes", "mail"]);
});

it("starts one that a service calls", async () => {
  expect(await ask("notes.ask", { peer: "maps" })).toEqual({ ok: true, value: "maps" });
  expect(started).toEqual(["disk", "notes", "maps"]);
});

it("closes without having started the others", async () => {
  const opened = await open([]);
  expect(started).toEqual([]);
  await opened.close();
  expect(started).toEqual([]);
});
