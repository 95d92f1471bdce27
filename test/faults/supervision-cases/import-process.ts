/**
 * A kernel in a process of its own, whose service cannot be imported until its files were corrected: the test runner imports modules in a
 * way of its own, and knows no numbered addresses.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKernel } from "@fairlead/kernel";
import { manifestOf } from "./kit.ts";

const path = (specifier: string): string => JSON.stringify(import.meta.resolve(specifier));
const shop = (text: string): string => `
  import { defineService } from ${path("@fairlead/kernel/service")};
  import { defineContract, query } from ${path("@fairlead/contracts")};
  import * as z from ${path("zod")};
  const contract = defineContract({ id: "shop", version: "1.0.0", summary: "Answers.", procedures: {
    ask: query({ summary: "Answers.", input: z.object({}), output: z.string() }),
  } });
  ${text}`;

/** The service, the file below it, and what that file becomes before each restart. */
const scenes: Readonly<Record<string, { readonly shop: string; readonly stock: readonly string[] }>> = {
  import: {
    shop: `
      import * as stock from "./stock.mjs";
      export default defineService(contract, () => ({ handlers: { ask: () => stock.greeting } }));`,
    stock: [
      'throw new Error("the database is away");',
      'throw new Error("it is still away");',
      'export const greeting = "welcome";',
    ],
  },
  exit: {
    shop: `
      import * as stock from "./stock.mjs";
      export default defineService(contract, () => ({ handlers: { ask: () => stock.greeting } }));`,
    stock: ["await null;\nprocess.exit(0);", 'export const greeting = "welcome";'],
  },
  handlers: {
    shop: `
      export default defineService(contract, () => ({
        handlers: () => import("./stock.mjs").then(({ handlers }) => handlers),
      }));`,
    stock: ["export const handlers = {", 'export const handlers = { ask: () => "welcome" };'],
  },
};

const scene = scenes[process.argv[2] ?? ""];
const folder = mkdtempSync(join(tmpdir(), "fairlead-imports-"));
const write = (name: string, text = ""): void => writeFileSync(join(folder, `${name}.mjs`), text);
write("shop", shop(scene?.shop ?? ""));
write("stock", scene?.stock[0]);
const kernel = await openKernel({ manifest: manifestOf(folder, ["shop"]), env: {}, log: () => undefined });
const memory = kernel.connect();
const answer = async (): Promise<string> => {
  await kernel.started();
  const reply = await memory.call("shop.ask", {});
  return reply.ok ? String(reply.value) : reply.error.message;
};
const answers = [await answer()];
for (const text of scene?.stock.slice(1) ?? []) {
  write("stock", text);
  await memory.call("kernel.restart", { service: "shop" });
  answers.push(await answer());
}
await kernel.close();
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify(answers));
process.exit(0);
