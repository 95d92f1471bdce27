/** A kernel in a process of its own, for errors that nothing catches: the test runner would take them for its own. */
import { openKernel } from "@fairlead/kernel";
import { defineService } from "@fairlead/kernel/service";
import { contractOf, idle, type ServiceStatus } from "./kit.ts";

const journal: unknown[] = [];
const begun = Promise.withResolvers<void>();
const go = Promise.withResolvers<void>();
let released = false;
let isFirst = true;

const scenes: Readonly<Record<string, () => void>> = {
  timer: () => {
    setTimeout(() => {
      throw new Error("the timer fell");
    });
  },
};

const scene = process.argv[2] ?? "";
const shop = defineService(contractOf("shop"), () => {
  if (isFirst) scenes[scene]?.();
  isFirst = false;
  return {
    handlers: {
      ...idle,
      change: () => {
        Promise.reject(new Error("the promise fell"));
        return 1;
      },
      wait: async () => {
        begun.resolve();
        await go.promise;
        return "done";
      },
    },
    stop: () => {
      released = true;
    },
  };
});
const other = defineService(contractOf("other"), () => ({ handlers: idle }));
const manifest = {
  version: 1 as const,
  url: import.meta.url,
  services: [],
  tools: async () => [],
  openapi: async () => "",
  schema: async () => undefined,
  router: () => Promise.reject(new Error("no router")),
};
const kernel = await openKernel({
  services: [shop, other],
  manifest,
  env: {},
  log: (_level, message, fields) => {
    if (message === "service failed while it ran") journal.push(fields?.error);
  },
});
const ascribed = new Promise<string | undefined>((resolve) => {
  process.on("uncaughtException", (error) => resolve(kernel.ascribe(error)));
});
const memory = kernel.connect();

const statusOf = async (id: string) => {
  const reply = await memory.call("kernel.services", {});
  const { services } = (reply.ok ? reply.value : { services: [] }) as { readonly services: readonly ServiceStatus[] };
  const { state, restarts } = services.find((service) => service.id === id) ?? {};
  return { state, restarts };
};

const restarted = async (id: string) => {
  for (;;) {
    const found = await statusOf(id);
    if (found.state === "Ready" && found.restarts === 1) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

if (scene === "nobody") {
  const reply = memory.call("shop.wait", {});
  await begun.promise;
  setTimeout(() => {
    throw new Error("nobody's timer fell");
  });
  const found = await ascribed;
  const closed = kernel.close();
  go.resolve();
  await closed;
  process.stdout.write(JSON.stringify({ ascribed: found ?? null, reply: await reply, released }));
} else {
  await kernel.started();
  if (scene === "handler") await memory.call("shop.change", {});
  const id = await ascribed;
  const result = { ascribed: id, shop: await restarted("shop"), other: await statusOf("other") };
  const [error] = journal;
  process.stdout.write(JSON.stringify({ ...result, stack: error instanceof Error ? error.stack : null }));
  await kernel.close();
}
process.exit(0);
