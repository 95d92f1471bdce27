import { expect, it } from "vitest";
import { createCatalogue } from "../tools/catalogue.ts";
import { emptyOffer } from "../tools/offer.ts";
import type { ConnectionRecord } from "./record.ts";
import { findTool } from "./relay.ts";

it("finds the tool of an upstream that was connected while the rest was still being read", async () => {
  const records = new Map<string, ConnectionRecord>();
  let catalogue = createCatalogue(new Map());
  const read = Promise.withResolvers<void>();
  const registry = {
    get catalogue() {
      return catalogue;
    },
    get names() {
      return [...records.keys()];
    },
    record: (name: string) => records.get(name) ?? expect.fail(`there is no ${name}`),
    connection: () => undefined,
    upstream: () => undefined,
    watch: () => expect.fail("it waits for no connection"),
    demand: () => expect.fail("it asks for no connection"),
  };
  const { signal } = new AbortController();
  const found = findTool({ registry, whenRead: read.promise, signal }, "listed__echo");
  const shown = { name: "listed__echo", description: "Echoes.", inputSchema: {} };
  catalogue = createCatalogue(new Map([["listed", [{ name: "echo", repeat: "harmless", shown }]]]));
  const opened = { era: "modern", revision: "2026-07-28", server: "it 1" } as const;
  records.set("listed", { calls: 0, inFlight: 0, disabled: [], list: [], offer: emptyOffer, opened });
  read.resolve();
  expect(await found).toMatchObject({ connection: "listed", name: "echo" });
});
