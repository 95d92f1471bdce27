/**
 * What `fairlead doctor` finds of the services: those of the kernel that runs for this project, so that no second copy of them starts beside
 * it; where none runs, of a kernel of its own on a throw-away folder.
 */
import { setTimeout as delay } from "node:timers/promises";
import { memoryTransport } from "@fairlead/client";
import type { SelfCheck } from "@fairlead/kernel";
import type { Context } from "../command/context.ts";
import { createKernelClient, type ServiceStatus, withRunningKernel } from "../kernel/kernel-client.ts";
import { openProjectKernel } from "../kernel/open-kernel.ts";
import { requireFolder } from "../owner/ownership.ts";
import { findOwner, statePlace } from "../owner/place.ts";
import { type Check, type CheckRow, ok } from "./row.ts";

type KernelClient = ReturnType<typeof createKernelClient>;

export const services: Check = async (context) => {
  const { state } = await findOwner((await statePlace(context)).folder);
  return context.url !== undefined || state === "open"
    ? withRunningKernel(context, readRows)
    : withOwnKernel(context, readRows);
};

/** Milliseconds that the doctor gives services to start. */
const startWaitMs = 10_000;

const withOwnKernel = async <T>(context: Context, work: (client: KernelClient) => Promise<T>): Promise<T> => {
  const kernel = await openProjectKernel(context, {
    own: await requireFolder(context, { command: "call", local: true }),
    log: "nothing",
    code: "all",
    stays: false,
    needs: [],
  });
  try {
    // One that hangs is a row of its own, not the end of the doctor.
    await Promise.race([kernel.started(), delay(startWaitMs, undefined, { ref: false })]);
    return await work(createKernelClient(context, { transport: memoryTransport(kernel.connect()) }));
  } finally {
    await kernel.close();
  }
};

const readRows = async (client: KernelClient): Promise<readonly CheckRow[]> => {
  const { services: found } = await client.services();
  const rows = found.map(async (status) => {
    // A service that cannot say more of itself is a row all the same.
    const info = await client.info({ service: status.id }).catch(() => undefined);
    return [statusRow(status), ...selfChecks(info?.details).map((one) => selfRow(status.id, one))];
  });
  return (await Promise.all(rows)).flat();
};

const statusRow = ({ id, state, since, waitsFor, nextStartAt, degraded }: ServiceStatus): CheckRow => {
  const check = `service ${id}`;
  const log = "run `fairlead doctor -v` for its log";
  if (state === "Starting" && waitsFor !== null)
    return { check, result: "failed", detail: `starting since ${since}; waits for ${waitsFor}`, fix: log };
  if (degraded !== null) {
    const next = nextStartAt === null ? "" : `; started again at ${nextStartAt}`;
    return { check, result: "warning", detail: `${degraded.why}${next}`, fix: degraded.fix };
  }
  return state === "Ready" ? ok(check, state) : { check, result: "failed", detail: state, fix: log };
};

/** The service's own checks. A service that lacks something is degraded, and the kernel starts all the same. */
const selfChecks = (details: object | undefined): readonly SelfCheck[] => {
  const checks: unknown = details === undefined ? undefined : Reflect.get(details, "checks");
  // The kernel makes this member of what a service's `checks` gives.
  return Array.isArray(checks) ? (checks as readonly SelfCheck[]) : [];
};

const selfRow = (id: string, { name, ok: good, detail, fix = "" }: SelfCheck): CheckRow => ({
  check: `  ${id}: ${name}`,
  result: good ? "ok" : "warning",
  detail,
  fix,
});
