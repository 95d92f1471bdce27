/** Two kernels with one PostgreSQL, and callers who send each key to both. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, mutation } from "@fairlead/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { defineService } from "../service/service.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { type Kernel, openKernel } from "./kernel.ts";

const runs: string[] = [];

const till = defineService(
  defineContract({
    id: "till",
    version: "1.0.0",
    summary: "Pays.",
    procedures: {
      pay: mutation({
        summary: "Pays once.",
        retry: "keyed",
        input: z.object({ bill: z.string() }),
        output: z.string(),
      }),
    },
  }),
  () => ({
    handlers: {
      pay: ({ bill }) => {
        runs.push(bill);
        return bill;
      },
    },
  }),
);

describe.runIf(hasPostgres())("a shared store", () => {
  let server: PostgresServer;
  let kernels: readonly Kernel[];
  const password = "a-password-of-this-test-alone";

  beforeAll(async () => {
    server = await startPostgres();
    kernels = await Promise.all(
      [1, 2].map(() =>
        openKernel({
          config: { store: { postgres: server.settings } },
          services: [till],
          flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-shared-")) },
          env: { FAIRLEAD_STORE_PASSWORD: password },
          log: () => undefined,
        }),
      ),
    );
  });
  afterAll(async () => {
    await Promise.all((kernels ?? []).map((kernel) => kernel.close()));
    await server?.stop();
  });

  it("has each of 500 keys run by one of two kernels, and answered by both", async () => {
    const bills = Array.from({ length: 500 }, (_, at) => `bill-${at}`);
    const pay = (kernel: Kernel, bill: string) =>
      kernel.connect().call("till.pay", { bill }, { idempotencyKey: `key-${bill}` });
    for (let at = 0; at < bills.length; at += 50) {
      const some = bills.slice(at, at + 50);
      const replies = await Promise.all(some.flatMap((bill) => kernels.map((kernel) => pay(kernel, bill))));
      for (const reply of replies) if (!reply.ok) expect(reply.error.code).toBe("aborted");
    }
    expect(runs.toSorted()).toEqual(bills.toSorted());
    for (const bill of bills)
      for (const kernel of kernels) expect(await pay(kernel, bill)).toEqual({ ok: true, value: bill });
    expect(runs).toHaveLength(bills.length);
  });
});
