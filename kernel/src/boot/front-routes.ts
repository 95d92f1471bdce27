/**
 * Which requests a front answers: calls of procedures that may run anywhere, of callers that it knows for certain, that need nothing of what
 * exists once. Of all others the kernel is the judge, also of those that will be refused.
 */
import { httpPath } from "@fairlead/contracts";
import { isForFronts } from "../fronts/front-protocol.ts";
import type { Loans } from "../fronts/loans.ts";
import type { Authenticate } from "../server/bearer.ts";
import type { Exchange } from "../server/guard.ts";
import type { Composition } from "./composition.ts";

interface RouteParts {
  /** Services that it answers for. */
  readonly services: readonly string[];
  readonly authenticate: Authenticate;
  /** What it may admit of callers with a rate. */
  readonly loans: Loans;
  /** Whether the kernel's own service is ready. */
  readonly isReady: (service: string) => boolean;
}

/** Headers of requests that need what exists once. */
const kernelHeaders = ["idempotency-key", "prefer", "expect", "last-event-id", "upgrade", "cookie"] as const;

/** True for a request that this process answers, which has its place then. */
export const makeFrontRoutes = (
  { catalog, instances }: Composition,
  { services, authenticate, loans, isReady }: RouteParts,
): ((exchange: Pick<Exchange, "incoming" | "response">) => boolean) => {
  const routes = new Map(
    catalog
      .all()
      .filter(({ service, procedure }) => services.includes(service) && isForFronts(procedure))
      .map(({ service, name, procedure }) => [httpPath(service, name.slice(service.length + 1), procedure), service]),
  );
  return ({ incoming: { method, url = "", headers }, response }) => {
    const mark = url.indexOf("?");
    const service = routes.get(mark === -1 ? url : url.slice(0, mark));
    if (service === undefined || (method !== "POST" && method !== "GET")) return false;
    for (const name of kernelHeaders) if (headers[name] !== undefined) return false;
    if (headers.accept?.includes("text/event-stream") === true) return false;
    const instance = instances.get(service);
    // A service's own rules may go by what only its run in the kernel knows.
    if (!isReady(service) || instance?.state.tag !== "Ready" || instance.running?.authorise !== undefined) return false;
    const principal = authenticate(headers.authorization);
    if (principal?.rate === undefined) return principal !== undefined;
    const leave = loans.take(principal);
    if (leave !== undefined) response.once("close", leave);
    return leave !== undefined;
  };
};
