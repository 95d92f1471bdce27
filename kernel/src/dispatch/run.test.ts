/** What a call of a service that is not up is answered with: why, and when to come again. */
import { defineContract } from "@fairlead/contracts";
import { expect, it } from "vitest";
import { ServiceInstance } from "../host/service-instance.ts";
import type { HostedProcedure } from "./hosted-procedure.ts";
import { findHandler } from "./run.ts";

const contract = defineContract({ id: "shop", version: "1.0.0", summary: "Sells.", procedures: {} });
const away = { code: "unavailable", message: "no database", hint: "start it" } as const;
const start = { tag: "Starting", since: 0, life: 0 } as const;

it.each<[string, Parameters<ServiceInstance["follow"]>[0], object]>([
  ["a first start", start, { message: "shop.buy is not available: its service is starting", retryAfterMs: 500 }],
  [
    "a start that waits for another service",
    { ...start, waitsFor: { ids: ["stock"] } },
    { message: "shop.buy is not available: its service is starting", retryAfterMs: 500 },
  ],
  [
    "a start that waits for one that failed and may be back",
    { ...start, waitsFor: { ids: ["stock"], error: { ...away, retryable: true, retryAfterMs: 7_000 } } },
    { message: "shop.buy is not available: no database", hint: "start it", retryable: true, retryAfterMs: 7_000 },
  ],
  [
    "a start that waits for one that failed for good",
    { ...start, waitsFor: { ids: ["stock"], error: { ...away, retryable: false } } },
    { message: "shop.buy is not available: no database", hint: "start it", retryable: false },
  ],
])("%s", (_, state, expected) => {
  const instance = new ServiceInstance(contract, 0);
  instance.follow(state);
  // The one procedure's name and service are all that is read of it before there is a handler.
  const procedure = { instance, name: "buy", entry: { name: "shop.buy" } } as unknown as HostedProcedure;
  let thrown: unknown;
  try {
    findHandler(procedure);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: "unavailable", ...expected });
});
