/**
 * tRPC's own client with the generated `AppRouter`: the same kernel, typed from end to end, without code of this project.
 *
 * Start `npx fairlead up`, then run `npx node --conditions=@fairlead/source examples/trpc.ts`.
 */
import { env } from "node:process";
import type { AppRouter } from "@fairlead/client/app-router";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import type { inferRouterInputs } from "@trpc/server";

const { FAIRLEAD_URL = "http://127.0.0.1:5099", FAIRLEAD_TOKEN } = env;
const headers = FAIRLEAD_TOKEN === undefined ? {} : { authorization: `Bearer ${FAIRLEAD_TOKEN}` };
const url = `${FAIRLEAD_URL}/trpc`;
const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url, headers, methodOverride: "POST" })] });

const attack = {
  game: {
    edition: "5.1",
    player: { name: "Aria", characterClass: "Rogue", level: 5, stats: { dexterity: 18 }, inventory: ["Rapier"] },
    npcs: [{ id: "goblin-1", name: "Goblin", ac: 15 }],
  },
  intent: { weapon: "Rapier", target: "Goblin" },
  dice: { seed: "aria-and-the-goblin" },
} satisfies inferRouterInputs<AppRouter>["rules"]["resolveAttack"];

const [outcome, { services }] = await Promise.all([
  client.rules.resolveAttack.query(attack),
  client.kernel.services.query({}),
]);
console.log(outcome);
console.log(services.map(({ id, state }) => `${id}: ${state}`).join("\n"));
