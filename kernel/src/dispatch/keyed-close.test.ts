/**
 * A kernel that closes while keyed calls are on their way to its store and back: what ran has its answer after the next start, and what did not run keeps no key.
 * Callers in the kernel's own process are waited for by no server.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, mutation } from "@fairlead/contracts";
import { expect, it } from "vitest";
import * as z from "zod";
import { openKernel } from "../boot/kernel.ts";
import { defineService } from "../service/service.ts";

const contract = defineContract({
  id: "till",
  version: "1.0.0",
  summary: "Pays.",
  procedures: {
    pay: mutation({
      summary: "Pays a bill.",
      retry: "keyed",
      input: z.object({ bill: z.string() }),
      output: z.string(),
    }),
  },
});

const open = async (stateDir: string) => {
  const ran: string[] = [];
  const pay = ({ bill }: { readonly bill: string }): string => {
    ran.push(bill);
    return bill;
  };
  const services = [defineService(contract, () => ({ handlers: { pay } }))];
  const kernel = await openKernel({ env: {}, services, flags: { stateDir }, log: () => undefined });
  await kernel.started();
  const call = (bill: string) => kernel.connect().call("till.pay", { bill }, { idempotencyKey: `key-${bill}` });
  return { kernel, call, ran };
};

const newFolder = (): string => mkdtempSync(join(tmpdir(), "fairlead-close-"));
const bills = Array.from({ length: 8 }, (_, at) => `bill-${at}`);

it.each([0, 1, 2, 3, 5, 8])("of calls that came %i turns before the close", async (turns) => {
  const folder = newFolder();
  const first = await open(folder);
  await first.call("warm");
  const calls = bills.map(first.call);
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  await first.kernel.close();
  const replies = await Promise.all(calls);
  const next = await open(folder);
  for (const [at, bill] of bills.entries()) {
    expect(replies[at]).toMatchObject(
      first.ran.includes(bill) ? { ok: true, value: bill } : { error: { code: "unavailable", retryable: true } },
    );
    expect(await next.call(bill)).toEqual({ ok: true, value: bill });
  }
  expect([...first.ran, ...next.ran].toSorted()).toEqual([...bills, "warm"]);
  await next.kernel.close();
});
