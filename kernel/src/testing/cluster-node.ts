/** A process that is a node of a cluster: its first message says what with, each further one is a call or an event. It ends with its parent. */

import * as Effect from "effect/Effect";
import { openKernel } from "../boot/kernel.ts";
import type { CallRequest, Reply } from "../call/call.ts";
import { loadService } from "../host/registry.ts";

export interface NodeStart {
  /** Id of the service. */
  readonly service: string;
  /** Address of the module whose default export it is. */
  readonly module: string;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
}

export type NodeRequest =
  | {
      readonly id: number;
      readonly procedure: string;
      readonly input: unknown;
      readonly options: Pick<CallRequest, "idempotencyKey" | "timeoutMs">;
    }
  | { readonly event: string; readonly service: string; readonly data: Readonly<Record<string, unknown>> }
  | { readonly close: true };

export type NodeMessage =
  | { readonly ready: true }
  | { readonly id: number; readonly reply: Reply }
  | { readonly seen: string; readonly data: unknown };

const say = (message: NodeMessage): void => void process.send?.(message);

process.on("disconnect", () => process.exit(1));
process.once("message", async (start: NodeStart) => {
  const service = await Effect.runPromise(
    loadService({ id: start.service, module: start.module }, { from: start.module }),
  );
  const kernel = await openKernel({ services: [service], flags: start.flags, env: start.env, log: () => undefined });
  const memory = kernel.connect();
  kernel.events.onEvent(({ type, data, service: from }) => {
    if (from === service.contract.id && !type.startsWith("service.")) say({ seen: type, data });
  });
  process.on("message", (request: NodeRequest) => {
    if ("close" in request) void kernel.close().then(() => process.exit(0));
    else if ("event" in request) kernel.events.emit(request.event, request.service, request.data);
    else
      void memory
        .call(request.procedure, request.input, request.options)
        .then((reply) => say({ id: request.id, reply }));
  });
  await kernel.started();
  say({ ready: true });
});
