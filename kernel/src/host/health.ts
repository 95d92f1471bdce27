/**
 * How the kernel is: ready once the first start of every service has come to an end, and while every required service is ready. Another one
 * that failed, or is being restarted, is shown and does not make the kernel unready: the others work.
 */

import type { StateTag } from "../supervision/child-state.ts";
import type { ServiceInstance } from "./service-instance.ts";

interface ServiceHealth {
  readonly id: string;
  readonly state: StateTag;
  /** Set where the kernel is not ready without it. */
  readonly required?: true;
  /** When it entered that state, unless it is ready; UTC. */
  readonly since?: string;
  /** When it is started again after a failure; UTC. */
  readonly nextStartAt?: string;
  /** What its start waits for. */
  readonly waitsFor?: string;
  /** What does not work and what would fix it. */
  readonly degraded?: { readonly why: string; readonly fix: string };
}

export interface Health {
  readonly ready: boolean;
  readonly services: readonly ServiceHealth[];
}

export const kernelHealth = (
  instances: ReadonlyMap<string, ServiceInstance>,
  isRequired: (service: string) => boolean = () => false,
): Health => {
  const services = [...instances.values()].map((instance): ServiceHealth => {
    const { condition } = instance;
    const degraded = condition.state === "degraded" ? { why: condition.why, fix: condition.fix } : undefined;
    const { id, state, waitsFor } = instance;
    return {
      id,
      state: state.tag,
      ...(isRequired(id) && { required: true }),
      ...(state.tag !== "Ready" && { since: new Date(state.since).toISOString() }),
      ...(state.tag === "Backoff" && { nextStartAt: new Date(state.until).toISOString() }),
      ...(waitsFor !== undefined && { waitsFor }),
      ...(degraded !== undefined && { degraded }),
    };
  });
  const isReady = ({ id, hasSettled, state }: ServiceInstance): boolean =>
    hasSettled && (state.tag === "Ready" || !isRequired(id));
  return { ready: [...instances.values()].every(isReady), services };
};
