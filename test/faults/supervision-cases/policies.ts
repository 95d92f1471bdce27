/** Policies of a procedure: breaker, retry budget, places of calls and of streams, and what a child that cannot be run says. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, query, subscription } from "@fairlead/contracts";
import { openKernel, type Principal } from "@fairlead/kernel";
import { defineService, FairleadError, type Handlers } from "@fairlead/kernel/service";
import { lineProtocol, makeSubprocess } from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";
import { expect, onTestFinished, vi } from "vitest";
import * as z from "zod";
import type { SupervisionCase } from "./case.ts";

const empty = z.object({});
const common = { summary: "Answers.", input: empty, output: z.null() };
const contract = defineContract({
  id: "policies",
  version: "1.0.0",
  summary: "Has policies.",
  procedures: {
    broken: query({ ...common, policy: { breaker: { failures: 2, openMs: 60_000 } } }),
    repeated: query({ ...common, policy: { retry: { attempts: 2, baseMs: 1 } } }),
    narrow: query({ ...common, policy: { concurrency: 1, queue: 64 } }),
    plain: query(common),
    follow: subscription(common),
    followAlone: subscription({ ...common, policy: { streams: 1 } }),
  },
});

type Answers = Handlers<typeof contract>;

const open = async (handlers: Partial<Answers>) => {
  const answer = () => null;
  const follow = async function* (_: unknown, { signal }: { readonly signal: AbortSignal }) {
    yield null;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  const all = { broken: answer, repeated: answer, narrow: answer, plain: answer, follow, followAlone: follow };
  const kernel = await openKernel({
    services: [defineService(contract, () => ({ handlers: { ...all, ...handlers } }))],
    env: {},
    log: () => {},
  });
  onTestFinished(() => kernel.close());
  return kernel;
};

const down = (): never => {
  throw new FairleadError({ code: "unavailable", message: "down" });
};

const token: Principal = { id: "token", access: ["read"], rate: { perSecond: 1_000, concurrent: 2 } };

/** Opens streams and reads the first event of each, so that they are open for sure. */
const openStreams = async (
  caller: ReturnType<Awaited<ReturnType<typeof open>>["connect"]>,
  count: number,
): Promise<readonly unknown[]> => {
  const refusals: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const opened = await caller.subscribe("policies.follow", {});
    if (!opened.ok) refusals.push(opened.error);
    else await opened.items[Symbol.asyncIterator]().next();
  }
  return refusals;
};

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "fairlead-case-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

/** Why a child with this program does not start. */
const refusal = (command: string): Promise<unknown> => {
  const dialect = lineProtocol({ protocol: "it", versions: [1] });
  const refused = Effect.flatMap(makeSubprocess({ name: "it", command, args: [], cwd: "/", dialect }), (child) =>
    Effect.promise(() => child.ask({ call: "x" }).catch((cause: unknown) => cause)),
  );
  return Effect.runPromise(Effect.scoped(refused));
};

export const policyCases: readonly SupervisionCase[] = [
  {
    name: "a call that began before the breaker opened succeeds after it",
    trusted: "resilience4j: a result of an earlier state is recorded by none",
    ours: "the breaker stays open",
    check: async () => {
      const slow = Promise.withResolvers<null>();
      const results: (() => null | Promise<null>)[] = [() => slow.promise, down, down];
      const kernel = await open({ broken: () => (results.shift() ?? (() => null))() });
      const caller = kernel.connect();
      const first = caller.call("policies.broken", {});
      await vi.waitFor(() => expect(results).toHaveLength(2), { timeout: 60_000 });
      await caller.call("policies.broken", {});
      await caller.call("policies.broken", {});
      slow.resolve(null);
      expect(await first).toMatchObject({ ok: true });
      expect(await caller.call("policies.broken", {})).toMatchObject({
        error: { code: "unavailable", message: expect.stringContaining("failed too often") },
      });
    },
  },
  {
    name: "a service is down for longer than its breaker bears, and comes back",
    trusted:
      "resilience4j counts what the call itself has met; a gRPC channel that is not connected is not a result of a method",
    ours: "the breaker stays closed and no attempt is counted, since no handler ran; the first call after it came back is answered",
    check: async () => {
      const answer = () => null;
      const handlers = { broken: answer, repeated: answer, narrow: answer, plain: answer };
      const follow = async function* () {};
      let isDown = true;
      const start = () => {
        if (isDown) throw new FairleadError({ code: "failed_precondition", message: "no licence" });
        return { handlers: { ...handlers, follow, followAlone: follow } };
      };
      const kernel = await openKernel({
        services: [defineService(contract, start)],
        env: {},
        flags: { port: 0, lagMs: 60_000, stateDir: folder() },
        log: () => {},
      });
      onTestFinished(() => kernel.close());
      const { http } = await kernel.serve();
      const caller = kernel.connect();
      for (const name of ["broken", "broken", "broken", "repeated"])
        expect(await caller.call(`policies.${name}`, {})).toMatchObject({
          error: { message: expect.stringContaining("no licence"), retryable: false },
        });
      const lines = (await (await fetch(http.replace("/api", "/metrics"))).text()).split("\n");
      expect(lines).toContain('fairlead_breaker_openings_total{procedure="policies.broken"} 0');
      expect(lines).toContain('fairlead_call_attempts_total{procedure="policies.repeated"} 0');
      expect(lines).toContain('fairlead_call_retries_total{procedure="policies.repeated"} 0');
      isDown = false;
      await caller.call("kernel.restart", { service: "policies" });
      expect(await caller.call("policies.broken", {})).toEqual({ ok: true, value: null });
    },
  },
  {
    name: "a dependency is down, and every call is repeated once",
    trusted: "gRPC: each failed attempt takes a token, also the last of a call; below half there are no retries",
    ours: "seven attempts in five calls",
    check: async () => {
      let attempts = 0;
      const kernel = await open({
        repeated: () => {
          attempts += 1;
          return down();
        },
      });
      for (let call = 0; call < 5; call += 1) await kernel.connect().call("policies.repeated", {});
      expect(attempts).toBe(2 + 2 + 1 + 1 + 1);
    },
  },
  {
    name: "a token has more streams open than it may have calls",
    trusted: "gRPC: streams and calls have limits of their own in Envoy and in the server's settings",
    ours: "streams take no place of calls, and have a limit of their own",
    check: async () => {
      const kernel = await open({});
      const caller = kernel.connect({ ...token, rate: { perSecond: 1_000, concurrent: 2, streams: 3 } });
      expect(await openStreams(caller, 4)).toEqual([
        expect.objectContaining({ code: "resource_exhausted", message: expect.stringContaining("3 streams open") }),
      ]);
      expect(await caller.call("policies.plain", {})).toMatchObject({ ok: true });
    },
  },
  {
    name: "a token does not say how many streams it may have open",
    trusted: "Envoy: 1,024 by default, apart from requests",
    ours: "32, apart from calls",
    check: async () => {
      const caller = (await open({})).connect(token);
      expect(await openStreams(caller, 33)).toHaveLength(1);
      expect(await caller.call("policies.plain", {})).toMatchObject({ ok: true });
    },
  },
  {
    name: "a subscription has as many streams open as its contract allows",
    trusted: "resilience4j: a bulkhead without a queue refuses at once",
    ours: "one more is refused at once, others are not; `kernel.describe` shows the limit",
    check: async () => {
      const caller = (await open({})).connect();
      expect(await caller.subscribe("policies.followAlone", {})).toMatchObject({ ok: true });
      expect(await caller.subscribe("policies.followAlone", {})).toMatchObject({
        error: { code: "resource_exhausted" },
      });
      expect(await caller.subscribe("policies.follow", {})).toMatchObject({ ok: true });
      expect(await caller.call("kernel.describe", { service: "policies", procedure: "followAlone" })).toMatchObject({
        value: { procedures: [{ name: "policies.followAlone", streams: 1 }] },
      });
    },
  },
  {
    name: "a call's turn would come after its deadline",
    trusted:
      "gRPC: DEADLINE_EXCEEDED at the deadline, after waiting for it; Finagle's deadline filter: refused at once",
    ours: "refused at once as `resource_exhausted`, and its handler never runs",
    check: async () => {
      let ran = 0;
      const rest = Promise.withResolvers<void>();
      const kernel = await open({
        narrow: async () => {
          ran += 1;
          // Enough that the kernel knows how long a call takes; the others wait until the refusal is seen.
          if (ran > 12) await rest.promise;
          else await new Promise((resolve) => setTimeout(resolve, 20));
          return null;
        },
      });
      const caller = kernel.connect();
      const before = Array.from({ length: 40 }, () => caller.call("policies.narrow", {}));
      await vi.waitFor(() => expect(ran).toBeGreaterThan(12), { timeout: 60_000 });
      const running = ran;
      const reply = await caller.call("policies.narrow", {}, { timeoutMs: 300 });
      expect(reply).toMatchObject({ error: { code: "resource_exhausted", retryAfterMs: expect.any(Number) } });
      // At once: nothing that takes time has gone on meanwhile.
      expect(ran).toBe(running);
      rest.resolve();
      await Promise.all(before);
      expect(ran).toBe(40);
    },
  },
  {
    name: "all places of a token are taken, and somebody asks the kernel how it does",
    trusted: "gRPC: health checks are services of their own, outside of the limits of others",
    ours: "the kernel's own procedures take no place of a token's calls",
    check: async () => {
      const rest = Promise.withResolvers<null>();
      const kernel = await open({ plain: () => rest.promise });
      const caller = kernel.connect(token);
      const slow = [0, 1].map(() => caller.call("policies.plain", {}));
      expect(await caller.call("policies.narrow", {})).toMatchObject({ error: { code: "resource_exhausted" } });
      expect(await caller.call("kernel.ping", { service: "policies" })).toMatchObject({ value: { state: "Ready" } });
      rest.resolve(null);
      await Promise.all(slow);
    },
  },
  {
    name: "a child's program is there, and may not be executed",
    trusted: "systemd: 203/EXEC with the path and `Permission denied`",
    ours: "`failed_precondition` with the path, and `chmod +x` as the hint",
    check: async () => {
      const path = join(folder(), "child");
      writeFileSync(path, "#!/bin/sh\n");
      chmodSync(path, 0o644);
      expect(await refusal(path)).toMatchObject({
        code: "failed_precondition",
        message: expect.stringContaining(`${path} is not executable`),
        hint: expect.stringContaining(`chmod +x ${path}`),
      });
    },
  },
  {
    name: "a child's program is for another system, or its interpreter is missing",
    trusted: "systemd: 203/EXEC with the path and `Exec format error`",
    ours: "`failed_precondition` that says which; it is not handed to a shell as a script",
    check: async () => {
      const foreign = Buffer.alloc(64);
      foreign.write(process.platform === "linux" ? "MZ" : "\x7fELF", "latin1");
      for (const [content, why] of [
        [foreign, "is not executable here: it is"],
        ["#!/no/such/shell\n", "its interpreter /no/such/shell does not exist"],
      ] as const) {
        const path = join(folder(), "child");
        writeFileSync(path, content, { mode: 0o755 });
        expect(await refusal(path)).toMatchObject({
          code: "failed_precondition",
          message: expect.stringContaining(why),
          retryable: false,
        });
      }
    },
  },
];
