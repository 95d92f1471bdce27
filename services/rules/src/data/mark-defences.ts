/** Resistance to damage that marks of spells give: what is protected from, or `its choice`, the type in brackets behind the mark. Facts under CC-BY-4.0, see NOTICE. */
import type { DamageType } from "@fairlead/contracts/rules";

interface MarkDefence {
  readonly mark: string;
  /** The word in brackets that it needs: "Fire Shield (warm)". */
  readonly choice?: string;
  readonly resists: readonly DamageType[] | "all";
}

const energies = ["acid", "cold", "fire", "lightning", "thunder"] as const;

export const markDefences: readonly MarkDefence[] = [
  { mark: "Fire Shield", choice: "warm", resists: ["cold"] },
  { mark: "Fire Shield", choice: "chill", resists: ["fire"] },
  ...energies.map((type) => ({ mark: "Protection from Energy", choice: type, resists: [type] })),
  { mark: "Protection from Poison", resists: ["poison"] },
  { mark: "Warding Bond", resists: "all" },
];
