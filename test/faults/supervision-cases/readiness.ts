/** What probes and logs say while a service is down, and after. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKernel } from "@fairlead/kernel";
import { defineService, FairleadError } from "@fairlead/kernel/service";
import { expect, onTestFinished } from "vitest";
import type { SupervisionCase } from "./case.ts";
import { contractOf, emptyManifest, idle, open, restart } from "./kit.ts";

const shop = contractOf("shop");
const away = () => new FairleadError({ code: "unavailable", message: "the database is away", retryable: true });
/** So long that no restart comes by itself. */
const slow = { baseMs: 3_600_000, capMs: 3_600_000, slowMs: 3_600_000 };

/** A kernel whose service is ready once, and fails at every start after that; what its probe says. */
const openProbed = async (required: boolean) => {
  let starts = 0;
  const service = defineService(
    shop,
    () => {
      starts += 1;
      if (starts > 1) throw away();
      return { handlers: idle };
    },
    { supervision: { required, backoff: slow, intensity: { restarts: 0 } } },
  );
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-ready-"));
  const flags = { port: 0, lagMs: 60_000, stateDir };
  const kernel = await openKernel({ services: [service], manifest: emptyManifest, env: {}, flags, log: () => {} });
  onTestFinished(async () => {
    await kernel.close();
    rmSync(stateDir, { recursive: true });
  });
  const { http } = await kernel.serve();
  const probe = async () => {
    await kernel.started();
    const response = await fetch(http.replace("/api", "/readyz"));
    const body = (await response.json()) as { readonly services: readonly { readonly id: string }[] };
    return { status: response.status, shop: body.services.find(({ id }) => id === "shop") };
  };
  return { probe, restart: () => kernel.connect().call("kernel.restart", { service: "shop" }) };
};

export const readinessCases: readonly SupervisionCase[] = [
  {
    name: "a service that was ready fails, and its kernel is probed",
    trusted: "gRPC health: NOT_SERVING for that service by name; the server as a whole goes on",
    ours: "`/readyz` stays 200 and shows that service with its state, the reason and when it is started again",
    check: async () => {
      const { probe, restart: restartIt } = await openProbed(false);
      expect(await probe()).toEqual({ status: 200, shop: { id: "shop", state: "Ready" } });
      await restartIt();
      expect(await probe()).toEqual({
        status: 200,
        shop: {
          id: "shop",
          state: "Backoff",
          since: expect.any(String),
          nextStartAt: expect.any(String),
          degraded: { why: "the database is away", fix: expect.any(String) },
        },
      });
    },
  },
  {
    name: "a required service fails, and its kernel is probed",
    trusted: "Kubernetes: a pod whose readiness probe fails gets no traffic",
    ours: "`required: true`: `/readyz` is 503 until it is ready again",
    check: async () => {
      const { probe, restart: restartIt } = await openProbed(true);
      expect(await probe()).toEqual({ status: 200, shop: { id: "shop", state: "Ready", required: true } });
      await restartIt();
      expect(await probe()).toMatchObject({ status: 503, shop: { state: "Backoff" } });
    },
  },
  {
    name: "a start fails, and the next one is well",
    trusted: "OTP: one supervisor report for the failed start, one progress report for the other",
    ours: "one line with the error, its stack and when it is started again; one line when it works again",
    check: async () => {
      let starts = 0;
      const failure = new TypeError("no such column");
      const service = defineService(
        shop,
        () => {
          starts += 1;
          if (starts === 1) throw failure;
          return { handlers: idle };
        },
        { supervision: { backoff: slow, intensity: { restarts: 0 } } },
      );
      const { kernel, lines } = open([service]);
      await expect.poll(() => lines.map(({ message }) => message)).toContain("service did not start");
      await restart(kernel, shop);
      expect(await kernel.call("shop.ask", {})).toMatchObject({ ok: true });
      const found = lines.filter(({ fields, message }) => fields.service === "shop" && message.startsWith("service"));
      expect(found).toEqual([
        {
          level: "error",
          message: "service did not start",
          fields: { service: "shop", nextStartAt: expect.any(String), error: failure },
        },
        { level: "info", message: "service works again", fields: { service: "shop", downMs: expect.any(Number) } },
      ]);
    },
  },
];
