/** An attempt of a call has a span below the call's, where that has one: the run of a keyed call has none. */
import { defineContract, query } from "@fairlead/contracts";
import * as Context from "effect/Context";
import { expect, it } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { KernelRegistry } from "../boot/parts.ts";
import { localPrincipal } from "../call/call.ts";
import type { OpenSpan } from "../call/span.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import type { Tracer } from "../observe/trace.ts";
import { defineService } from "../service/service.ts";
import { ActiveCall } from "./active-call.ts";
import { makeRun } from "./run.ts";

const contract = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Answers.",
  procedures: {
    answer: query({ summary: "Answers.", input: z.object({}), output: z.int(), policy: { retry: { attempts: 2 } } }),
  },
});

it.each([
  ["with a span", true, ["probe.answer", "attempt", "end of attempt"]],
  ["without one", false, []],
])("a call %s", async (_, hasSpan, spans) => {
  const seen: string[] = [];
  const span = (name: string): OpenSpan => ({
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    child: (below) => {
      seen.push(below);
      return span(below);
    },
    event: () => undefined,
    end: () => void seen.push(`end of ${name}`),
  });
  const tracer: Tracer = {
    start: (name) => {
      seen.push(name);
      return span(name);
    },
    close: async () => undefined,
  };
  const composition = compose({
    config: readConfig({}),
    services: [defineService(contract, () => ({ handlers: { answer: () => 1 } }))],
    env: {},
    events: makeEvents(),
    log: () => undefined,
    schema: async () => undefined,
  });
  const request = { procedure: "probe.answer", input: {}, principal: localPrincipal, transport: "memory" } as const;
  expect(await composition.dispatch.call(request)).toMatchObject({ ok: true });
  const target = Context.get(composition.parts, KernelRegistry).procedures.get("probe.answer");
  if (target === undefined) throw new Error("there is no such procedure");
  const call = new ActiveCall(target, request, { log: () => undefined, tracer: hasSpan ? tracer : undefined });
  call.input = {};
  const run = makeRun(target, { events: makeEvents(), tracer, random: () => 0 });
  expect(await run(call)).toBe(1);
  expect(seen).toEqual(spans);
  await composition.close();
});
