/**
 * The generated client against a running kernel: one attack, its outcome typed and as JSON, and a declared error with its data.
 *
 * Start `npx fairlead up`, then run `npx node --conditions=@fairlead/source examples/client.ts`.
 */
import { readFileSync } from "node:fs";
import { env } from "node:process";
import { createClient, fetchTransport, isReason } from "@fairlead/client";
import { type ResolveAttackInput, type RulesTypes, rules } from "@fairlead/client/rules";

const { FAIRLEAD_URL = "http://127.0.0.1:5099", FAIRLEAD_TOKEN } = env;
const client = createClient<RulesTypes>(
  rules,
  fetchTransport({
    url: FAIRLEAD_URL,
    ...(FAIRLEAD_TOKEN !== undefined && { token: FAIRLEAD_TOKEN }),
  }),
);

// The file holds what the contract says; the kernel checks it all the same.
const attack: ResolveAttackInput = JSON.parse(readFileSync(new URL("attack.json", import.meta.url), "utf8"));

console.log(JSON.stringify(await client.resolveAttack(attack)));

try {
  await client.resolveAttack({ ...attack, intent: { weapon: "Rapier", target: "Dragon" } });
} catch (error) {
  if (!isReason(error, client.resolveAttack, "unknown_target")) throw error;
  console.log(error.message, error.data);
}
