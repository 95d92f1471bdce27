/** What `fairlead top` shows of a kernel: three answers of its contract, asked at once. */
import type { Client } from "@fairlead/client";
import type { KernelTypes } from "@fairlead/client/kernel";
import type { ServiceStatus } from "../kernel/kernel-client.ts";

export type ProcedureFigures = KernelTypes["stats"]["output"]["procedures"][number];

export interface KernelFigures {
  readonly services: readonly ServiceStatus[];
  readonly procedures: readonly ProcedureFigures[];
  readonly process: KernelTypes["process"]["output"];
}

export const readFigures = async (client: Client<KernelTypes>): Promise<KernelFigures> => {
  const [{ services }, { procedures }, process] = await Promise.all([
    client.services(),
    client.stats(),
    client.process(),
  ]);
  return { services, procedures, process };
};

/** Asked once a second, however often it is drawn. */
export const cachedFigures = (client: Client<KernelTypes>, now: () => number): (() => Promise<KernelFigures>) => {
  let at = Number.NEGATIVE_INFINITY;
  let latest: KernelFigures | undefined;
  return async () => {
    if (latest !== undefined && now() - at < 900) return latest;
    latest = await readFigures(client);
    at = now();
    return latest;
  };
};
