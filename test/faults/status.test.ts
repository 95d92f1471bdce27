/** The status is true, whatever goes wrong in whatever order: it is never `connected` when a caller hears that the upstream was lost. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { openBoard } from "./board.ts";
import { serveV1 } from "./peers/v1.ts";
import { serveV2 } from "./peers/v2.ts";
import { faultProxy } from "./proxy.ts";
import type { HttpFault } from "./table.ts";

const inLongTier = process.env.TESTS_TIER === "long";

/** Those that nobody has to wait for. */
const faults: readonly HttpFault[] = [
  ...(["none", "refuse", "reset", "cut", "garbled", "page"] as const),
  ...(["overloaded", "unauthorized", "forbidden", "forgets"] as const),
];

type Step = { readonly fault: HttpFault } | { readonly call: "up__echo" | "up__count" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ fault: fc.constantFrom(...faults) }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constantFrom("up__echo" as const, "up__count" as const) }) },
);

it.concurrent.each([
  ["legacy", serveV1],
  ["modern", serveV2],
] as const)("before or with the failure that a caller sees, %s", async (_, serve) => {
  const peer = await serve();
  let failures = 0;
  const play = async (steps: readonly Step[]): Promise<void> => {
    const proxy = await faultProxy(peer.url);
    const board = await openBoard();
    await board.add("up", proxy.url);
    await board.becomes("up", "connected");
    for (const each of steps) {
      if ("fault" in each) {
        if (each.fault === "refuse") await proxy.stop();
        else {
          await proxy.stop();
          await proxy.start();
          proxy.fault = each.fault;
        }
        continue;
      }
      const called = await board.call(each.call);
      if (called.ok) continue;
      failures += 1;
      expect(called.error).toMatchObject({ reason: "upstream_unavailable", data: { connection: "up" } });
      expect(called.error.data).not.toMatchObject({ state: "connected" });
    }
    await board.close();
    await proxy.close();
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), play), {
    numRuns: inLongTier ? 20 : 8,
  });
  expect(failures).toBeGreaterThan(inLongTier ? 5 : 2);
  await peer.close();
});
