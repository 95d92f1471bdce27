import { defineContract } from "@fairlead/contracts";
import { expect, it } from "vitest";
import { kernelHealth } from "./health.ts";
import { ServiceInstance } from "./service-instance.ts";

const contract = defineContract({ id: "shop", version: "1.0.0", summary: "Sells.", procedures: {} });
const away = { code: "unavailable", message: "no database", retryable: true } as const;

it("is unready until every first start has ended, and says since when a start goes on and what it waits for", () => {
  const instance = new ServiceInstance(contract, 0);
  const health = () => kernelHealth(new Map([["shop", instance]]));
  const since = "1970-01-01T00:00:00.000Z";
  expect(health()).toEqual({
    ready: false,
    services: [{ id: "shop", state: "Starting", since, waitsFor: "its start" }],
  });
  instance.follow({ tag: "Starting", since: 0, life: 0, waitsFor: { ids: ["stock", "bank"] } });
  expect(health()).toMatchObject({ ready: false, services: [{ waitsFor: "the services stock, bank" }] });
  instance.follow({ tag: "Starting", since: 0, life: 0, waitsFor: { ids: ["stock"], error: away } });
  expect(health()).toMatchObject({ ready: true, services: [{ degraded: { why: "no database" } }] });
  instance.follow({ tag: "Ready", since: 1, life: 1 });
  expect(health()).toEqual({ ready: true, services: [{ id: "shop", state: "Ready" }] });
  // A restart of one is no reason to send all callers elsewhere.
  instance.follow({ tag: "Starting", since: 0, life: 2 });
  expect(health()).toMatchObject({ ready: true, services: [{ state: "Starting", since, waitsFor: "its start" }] });
});
