import { defineContract, FairleadError, mutation, query, subscription } from "@fairlead/contracts";
import * as Context from "effect/Context";
import { expect, test } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { KernelDispatch } from "../boot/parts.ts";
import { localPrincipal } from "../call/call.ts";
import type { OpenSpan, SpanFailure } from "../call/span.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";

const input = z.object({ code: z.enum(["not_found", "unavailable"]).optional() });
const shop = defineContract({
  id: "shop",
  version: "1.0.0",
  summary: "A shop.",
  procedures: {
    find: query({ summary: "Finds.", input, output: z.int() }),
    buy: mutation({ summary: "Buys.", retry: "unsafe", input, output: z.int() }),
  },
});

const answer = ({ code }: z.output<typeof input>): number => {
  if (code !== undefined) throw new FairleadError({ code, message: "as asked" });
  return 1;
};
const service = defineService(shop, () => ({ handlers: { find: answer, buy: answer } }));

/** The log lines of a call, as level and outcome. */
const linesOf = async (
  log: Readonly<Record<string, string>>,
  procedure: string,
  sent: object,
): Promise<readonly string[]> => {
  const lines: string[] = [];
  const { dispatch, close } = compose({
    config: readConfig({ flags: { log } }),
    services: [service],
    env: {},
    events: makeEvents(),
    log: (at, message, fields) => {
      if (message === "call") lines.push(`${at} ${String(fields?.procedure)} ${String(fields?.outcome)}`);
    },
    schema: async () => undefined,
  });
  await dispatch.call({ procedure, input: sent, principal: localPrincipal, transport: "memory" });
  await close();
  return lines;
};

test.each([
  ["a change", "shop.buy", {}, "info shop.buy ok"],
  ["a change that fails", "shop.buy", { code: "not_found" }, "warn shop.buy not_found"],
  ["a query that the service cannot serve", "shop.find", { code: "unavailable" }, "warn shop.find unavailable"],
])("%s is in the log", async (_, procedure, sent, line) => {
  expect(await linesOf({ level: "info" }, procedure, sent)).toEqual([line]);
});

test.each([
  ["a query", {}, "debug shop.find ok"],
  ["one with a wrong input", { code: 7 }, "debug shop.find invalid_argument"],
  ["one that finds nothing", { code: "not_found" }, "debug shop.find not_found"],
])("%s is in the log of who looks closely", async (_, sent, line) => {
  expect(await linesOf({ level: "info" }, "shop.find", sent)).toEqual([]);
  expect(await linesOf({ level: "debug" }, "shop.find", sent)).toEqual([line]);
});

test.each([
  ["a query", "shop.find", {}, "info shop.find ok"],
  ["a change", "shop.buy", {}, "info shop.buy ok"],
  ["a change that fails", "shop.buy", { code: "not_found" }, "warn shop.buy not_found"],
])("%s is in a log of all calls, at its own level or as info", async (_, procedure, sent, line) => {
  expect(await linesOf({ level: "info", calls: "all" }, procedure, sent)).toEqual([line]);
});

test("the milliseconds of a call are those since it began", async () => {
  const took: unknown[] = [];
  const { dispatch, close } = compose({
    config: readConfig({ flags: { log: { level: "debug" } } }),
    services: [service],
    env: {},
    events: makeEvents(),
    log: (_level, message, fields) => void (message === "call" && took.push(fields?.milliseconds)),
    schema: async () => undefined,
  });
  const before = performance.now();
  await dispatch.call({ procedure: "shop.find", input: {}, principal: localPrincipal, transport: "memory" });
  expect(took).toHaveLength(1);
  expect(Number(took[0])).toBeLessThanOrEqual(performance.now() - before + 1);
  await close();
});

const slow = defineContract({
  id: "slow",
  version: "1.0.0",
  summary: "Never answers.",
  procedures: {
    hang: query({ summary: "Hangs.", input: z.object({}), output: z.int(), policy: { deadlineMs: 50 } }),
  },
});

test.each([
  ["its own deadline is the server's fault", {}, true],
  ["a shorter one of its caller is not", { timeoutMs: 1 }, false],
])("of a call that ends by its deadline, %s in the span", async (_, options, isFault) => {
  const failures: (SpanFailure | undefined)[] = [];
  const span: OpenSpan = {
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    child: () => ({ ...span, end: () => undefined }),
    event: () => undefined,
    end: (_attributes, failure) => void failures.push(failure),
  };
  const { dispatch, close } = compose({
    config: readConfig({}),
    services: [
      defineService(slow, () => ({
        handlers: {
          hang: (_, { signal }) =>
            new Promise<number>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
        },
      })),
    ],
    env: {},
    events: makeEvents(),
    log: () => undefined,
    tracer: { start: () => span, close: async () => undefined },
    schema: async () => undefined,
  });
  await dispatch.call({
    procedure: "slow.hang",
    input: {},
    principal: localPrincipal,
    transport: "memory",
    ...options,
  });
  await close();
  expect(failures.map((failure) => ({ code: failure?.code, isFault: failure?.fault !== undefined }))).toEqual([
    { code: "deadline_exceeded", isFault },
  ]);
});

const feed = defineContract({
  id: "feed",
  version: "1.0.0",
  summary: "News.",
  procedures: { news: subscription({ summary: "News.", input: z.object({}), output: z.int() }) },
});

test.each([
  ["its reader leaves is as it should be", "canceled", "ok"],
  ["its service ends is a failure", "unavailable", "unavailable"],
] as const)("a stream that ends because %s", async (_, code, outcome) => {
  const outcomes: unknown[] = [];
  const composition = compose({
    config: readConfig({ flags: { log: { level: "debug" } } }),
    services: [
      defineService(feed, () => ({
        handlers: {
          news: async function* () {
            yield 1;
          },
        },
      })),
    ],
    env: {},
    events: makeEvents(),
    log: (_level, message, fields) => void (message === "call" && outcomes.push(fields?.outcome)),
    schema: async () => undefined,
  });
  const dispatch = Context.get(composition.parts, KernelDispatch);
  await dispatch.subscribe({ procedure: "feed.news", input: {}, principal: localPrincipal, transport: "memory" });
  const [call] = dispatch.open.calls;
  call?.scope.end(new FairleadError({ code, message: "as asked" }));
  expect(outcomes).toEqual([outcome]);
  await composition.close();
});
