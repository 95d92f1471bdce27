/**
 * How the kernel is: ready once no service is starting any more. A service that failed is shown, and does not make the kernel
 * unready: the others work.
 */

import type { StateTag } from "../supervision/child-state.ts";
import type { ServiceInstance } from "./service-instance.ts";

interface ServiceHealth {
  readonly id: string;
  readonly state: StateTag;
  /** What does not work and what would fix it. */
  readonly degraded?: { readonly why: string; readonly fix: string };
}

export interface Health {
  readonly ready: boolean;
  readonly services: readonly ServiceHealth[];
}

export const kernelHealth = (instances: ReadonlyMap<string, ServiceInstance>): Health => {
  const services = [...instances.values()].map((instance): ServiceHealth => {
    const { condition } = instance;
    const degraded = condition.state === "degraded" ? { why: condition.why, fix: condition.fix } : undefined;
    return { id: instance.id, state: instance.state.tag, ...(degraded !== undefined && { degraded }) };
  });
  return { ready: services.every(({ state }) => state !== "Starting"), services };
};
