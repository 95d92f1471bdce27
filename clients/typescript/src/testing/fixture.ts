/** A small service, as `fairlead gen` would write it, for this package's own tests. */
import type { ServiceDescriptor } from "../descriptor.ts";

export const dice = {
  id: "dice",
  procedures: {
    look: { name: "dice.look", kind: "query", method: "GET", path: "/api/dice/look", encoding: "query", retry: "safe" },
    roll: { name: "dice.roll", kind: "query", method: "POST", path: "/api/dice/roll", encoding: "json", retry: "safe" },
    spend: {
      name: "dice.spend",
      kind: "mutation",
      method: "POST",
      path: "/api/dice/spend",
      encoding: "json",
      retry: "unsafe",
    },
    book: {
      name: "dice.book",
      kind: "mutation",
      method: "POST",
      path: "/api/dice/book",
      encoding: "json",
      retry: "keyed",
    },
    rolls: {
      name: "dice.rolls",
      kind: "subscription",
      method: "GET",
      path: "/api/dice/rolls",
      encoding: "query",
      retry: "safe",
    },
  },
} as const satisfies ServiceDescriptor;

export interface DiceTypes {
  look: {
    input: { name?: string; sure?: boolean; level?: number };
    output: { seen: string };
    errors: Record<never, never>;
  };
  roll: {
    input: { sides: number };
    output: { total: number };
    errors: { no_such_die: { known: number[] }; out_of_dice: undefined };
  };
  spend: { input: { coins: number }; output: null; errors: Record<never, never> };
  book: { input: { table: string }; output: { booking: string }; errors: { taken: undefined } };
  rolls: { kind: "subscription"; input: { sides?: number }; output: { total: number }; errors: Record<never, never> };
}
