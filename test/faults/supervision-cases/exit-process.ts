/** A kernel in a process of its own, whose service calls `process.exit()` in its start, in a handler and in a timer. */
import { openKernel } from "@fairlead/kernel";
import { defineService } from "@fairlead/kernel/service";
import { contractOf, emptyManifest, idle, type ServiceStatus } from "./kit.ts";

const errors: string[] = [];
let starts = 0;
const shop = defineService(contractOf("shop"), async () => {
  starts += 1;
  await null;
  if (starts === 1) process.exit(7);
  return {
    handlers: {
      ...idle,
      ask: () => process.exit(8),
      change: () => {
        setTimeout(() => process.exit(9));
        return 1;
      },
    },
    // Also while it stops: the kernel ends when its services are down.
    stop: () => process.exit(10),
  };
});
const other = defineService(contractOf("other"), () => ({ handlers: idle }));
const kernel = await openKernel({
  services: [shop, other],
  manifest: emptyManifest,
  env: {},
  log: (_level, message, { error } = {}) => {
    if (error instanceof Error) errors.push(`${message}: ${error.message}`);
  },
});
const ascribed = new Promise<string | undefined>((resolve) => {
  process.on("uncaughtException", (error) => resolve(kernel.ascribe(error)));
});
const memory = kernel.connect();

const ready = async (restarts: number): Promise<readonly Pick<ServiceStatus, "id" | "restarts">[]> => {
  for (;;) {
    const reply = await memory.call("kernel.services", {});
    const { services } = (reply.ok ? reply.value : { services: [] }) as { readonly services: readonly ServiceStatus[] };
    const shown = services.filter(({ id }) => id !== "kernel").map((one) => ({ id: one.id, restarts: one.restarts }));
    const found = services.find(({ id }) => id === "shop");
    if (found?.state === "Ready" && found.restarts === restarts) return shown;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

await ready(1);
const reply = await memory.call("shop.ask", {});
await memory.call("shop.change", {});
const id = await ascribed;
const services = await ready(2);
await kernel.close();
process.stdout.write(JSON.stringify({ code: reply.ok ? "ok" : reply.error.code, ascribed: id, services, errors }));
process.exit(0);
