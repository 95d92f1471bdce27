/**
 * The generated client against a running kernel: one attack, its outcome typed, and a declared error with its data.
 *
 * Start `npx fairlead up`, then run `npx node --conditions=@fairlead/source examples/client.ts`.
 */
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

const attack = {
  game: {
    edition: "5.1",
    player: {
      name: "Aria",
      characterClass: "Rogue",
      level: 5,
      stats: { strength: 10, dexterity: 18 },
      weaponProficiencies: ["Simple Weapons", "Rapier"],
      inventory: ["Rapier", "Dagger"],
    },
    npcs: [{ id: "goblin-1", name: "Goblin", ac: 15, currentHp: 7, maxHp: 7 }],
  },
  intent: { weapon: "Rapier", target: "Goblin" },
  dice: { seed: "aria-and-the-goblin" },
} satisfies ResolveAttackInput;

console.log(await client.resolveAttack(attack));

try {
  await client.resolveAttack({ ...attack, intent: { weapon: "Rapier", target: "Dragon" } });
} catch (error) {
  if (!isReason(error, client.resolveAttack, "unknown_target")) throw error;
  console.log(error.message, error.data);
}
