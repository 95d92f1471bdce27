/**
 * tRPC's own client with the generated `AppRouter`: the same kernel, typed from end to end, with the links that fit it.
 *
 * Start `npx fairlead up`, then run `npx node --conditions=@fairlead/source examples/trpc.ts`.
 */
import { readFileSync } from "node:fs";
import { env } from "node:process";
import type { AppRouter } from "@fairlead/client/app-router";
import { links } from "@fairlead/client/trpc";
import { createTRPCClient } from "@trpc/client";
import type { inferRouterInputs } from "@trpc/server";

const { FAIRLEAD_URL = "http://127.0.0.1:5099", FAIRLEAD_TOKEN } = env;
const client = createTRPCClient<AppRouter>({
  links: links({ url: FAIRLEAD_URL, ...(FAIRLEAD_TOKEN !== undefined && { token: FAIRLEAD_TOKEN }) }),
});

// The file holds what the contract says; the kernel checks it all the same.
const attack: inferRouterInputs<AppRouter>["rules"]["resolveAttack"] = JSON.parse(
  readFileSync(new URL("attack.json", import.meta.url), "utf8"),
);

const [outcome, { services }] = await Promise.all([
  client.rules.resolveAttack.query(attack),
  client.kernel.services.query({}),
]);
console.log(JSON.stringify(outcome));
console.log(services.map(({ id, state }) => `${id}: ${state}`).join("\n"));
