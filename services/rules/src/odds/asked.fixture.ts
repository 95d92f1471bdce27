/** For tests only: a fighter, and the question how an attack goes. */
import type { Question } from "@fairlead/contracts/rules";

export const fighter = {
  inventory: ["Longsword", "Greatsword", "Dagger", "Glaive", "Mace"],
  weaponProficiencies: ["Martial Weapons", "Simple Weapons"],
  stats: { strength: 18 },
};
export const attack = (intent: Partial<Extract<Question, { kind: "attack" }>["intent"]> = {}): Question => ({
  kind: "attack",
  intent: { weapon: "Longsword", target: "Goblin", ...intent },
});
