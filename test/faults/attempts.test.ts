/**
 * Repeats over several hops do not multiply: whoever repeats a call first repeats alone. Three kernels in a row, each reached by the typed
 * client, which makes three attempts, and each with three attempts in its contract; the last one is down.
 */
import { type ClientOptions, createClient, memoryTransport, type RetryOptions } from "@fairlead/client";
import { defineContract, FairleadError, query } from "@fairlead/contracts";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { defineService } from "@fairlead/kernel/service";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";

const attempts = 3;

const contract = (retry: number | undefined) =>
  defineContract({
    id: "hop",
    version: "1.0.0",
    summary: "Goes on to the next kernel.",
    procedures: {
      go: query({
        summary: "Goes on.",
        input: z.object({}),
        output: z.int(),
        ...(retry !== undefined && { policy: { retry: { attempts: retry, baseMs: 1, capMs: 1 } } }),
      }),
    },
  });

interface HopTypes {
  readonly go: { readonly input: object; readonly output: number; readonly errors: Record<never, never> };
}
const descriptor = {
  id: "hop",
  procedures: { go: { name: "hop.go", kind: "query", path: "/api/hop/go", retry: "safe" } },
} as const;

/** A client that does not wait between its attempts. */
const clientTo = (kernel: Parameters<typeof memoryTransport>[0], retry: RetryOptions | false) => {
  const clock: ClientOptions["clock"] = { now: () => performance.now(), sleep: async () => undefined, random: () => 0 };
  return createClient<HopTypes>(descriptor, memoryTransport(kernel), { retry, clock });
};

/** What a handler does with another kernel's error that it has no answer to. */
const passOn = ({ code, message }: FairleadError): never => {
  throw new FairleadError({ code, message });
};

type Go = (options?: { readonly detached?: boolean }) => Promise<number>;

/** A kernel whose handler calls the next; the last one has none. */
const open = (retry: number | undefined, next: Go, repeats: RetryOptions | false): Go => {
  const kernel = openMemoryKernel(
    [defineService(contract(retry), () => ({ handlers: { go: () => next().catch(passOn) } }))],
    {
      log: () => undefined,
    },
  );
  onTestFinished(() => kernel.close());
  const client = clientTo(kernel, repeats);
  return (options = {}) => client.go({}, options);
};

const chain = (retries: readonly (number | undefined)[], repeats: readonly (RetryOptions | false)[]) => {
  let reached = 0;
  let go: Go = async () => {
    reached += 1;
    throw new FairleadError({ code: "unavailable", message: "the last one is down" });
  };
  for (const [at, retry] of retries.entries()) go = open(retry, go, repeats[at] ?? false);
  return { go, reached: () => reached };
};

const three = { attempts };

test.each([
  ["client and contract at every hop", [3, 3, 3], [three, three, three], attempts],
  ["the first contract, where its caller does not repeat", [3, 3, 3], [three, three, false], attempts],
  ["the last client alone", [undefined, undefined, undefined], [three, false, false], attempts],
  ["the last contract alone", [3, undefined, undefined], [false, false, false], attempts],
  ["a caller that allows two", [3, 3, 3], [three, three, { attempts: 2 }], 2],
  ["none", [undefined, undefined, undefined], [false, false, false], 1],
] as const)("%s: the last kernel is tried so often in all", async (_, retries, repeats, most) => {
  const { go, reached } = chain(retries, repeats);
  await expect(go()).rejects.toMatchObject({ code: "unavailable" });
  expect(reached()).toBe(most);
});

test("what is detached is a call of its own", async () => {
  const last = chain([3], [three]);
  const first = open(undefined, () => last.go({ detached: true }).catch(() => 7), three);
  expect(await first()).toBe(7);
  expect(last.reached()).toBe(attempts);
});
