/** The service behind the conformance suite. Remembers which calls were interrupted, so that tests can ask. */

import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { decodeCursor, encodeCursor } from "@fairlead/contracts";
import { defineService, tracked } from "@fairlead/kernel/service";
import * as z from "zod";
import { probe } from "../contracts/probe.contract.ts";

export default defineService(probe, () => {
  const calls = new Map<string, { started: number; ended: number }>();
  const files = new Map<string, File>();
  let paid = 0;
  const callOf = (name: string) => {
    const known = calls.get(name) ?? { started: 0, ended: 0 };
    calls.set(name, known);
    return known;
  };
  const untilEnded = (name: string, signal: AbortSignal): Promise<never> => {
    callOf(name).started += 1;
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => {
      callOf(name).ended += 1;
      // A handler that goes on after its abort is taken for a blocked thread.
      reject(signal.reason);
    });
    return promise;
  };
  return {
    off: () => ({ off: "the suite wants it so" }),
    handlers: {
      keep: async ({ as }, { file }) => {
        const parts: Uint8Array[] = [];
        for await (const part of file) parts.push(part);
        const { name, type } = file;
        const all = new File(
          parts.map((part) => new Uint8Array(part)),
          name ?? "",
          { type },
        );
        files.set(as, all);
        const digest = createHash("sha256")
          .update(await all.bytes())
          .digest("hex");
        return { bytes: all.size, digest, name: name ?? null, type };
      },
      kept: ({ as }, call) => {
        const file = files.get(as);
        if (file === undefined) throw call.fail("not_kept", { message: `no file is kept as ${as}` });
        return file;
      },
      sum: ({ a, b }, call) => {
        if (a + b > 1_000) throw call.fail("too_big", { message: "the sum is over 1,000" }, { limit: 1_000 });
        return a + b;
      },
      echo: ({ text, tags, maybe, chain }) => ({ text, tags, maybe, ...(chain !== undefined && { chain }) }),
      elder: ({ name }) => ({ greeting: `Hello, ${name}` }),
      list: ({ count }) => Array.from({ length: count }, (_, index) => index + 1),
      squares: ({ below, cursor, pageSize }) => {
        const from = cursor === undefined ? 0 : decodeCursor(z.int(), cursor);
        const total = Math.ceil(Math.sqrt(below));
        const items = Array.from({ length: Math.min(pageSize, total - from) }, (_, at) => ({
          root: from + at,
          square: (from + at) ** 2,
        }));
        return { items, next: from + pageSize < total ? encodeCursor(from + pageSize) : null, total };
      },
      pages: ({ size, cursor }) => {
        const next = Math.min(cursor + size, 10);
        const items = Array.from({ length: next - cursor }, (_, index) => cursor + index);
        return { items, ...(next < 10 && { next }) };
      },
      hang: ({ name }, { signal }) => untilEnded(name, signal),
      wait: ({ name }, { signal }) => untilEnded(name, signal),
      ended: ({ name }) => callOf(name),
      crash: () => {
        throw new TypeError("a secret detail");
      },
      small: ({ text }) => text.length,
      large: ({ text }) => text.length,
      progress: async ({ steps }, call) => {
        for (let step = 1; step <= steps; step += 1) {
          call.progress({ progress: step, total: steps, message: `step ${step}` });
          await delay(1);
        }
        return steps;
      },
      pay: ({ amount }) => {
        paid += 1;
        return { amount, count: paid };
      },
      wipe: () => 0,
      off: () => 0,
      count: async function* ({ to }, call) {
        for (let value = Number(call.lastEventId ?? 0) + 1; value <= to; value += 1)
          yield tracked(String(value), { value });
      },
      endless: async function* ({ name }, { signal }) {
        callOf(name).started += 1;
        try {
          yield { value: 1 };
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        } finally {
          callOf(name).ended += 1;
        }
      },
    },
  };
});
