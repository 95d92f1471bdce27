/** A small service, as `fairlead gen` would write it, for this package's own tests. */
import type { ServiceDescriptor } from "../descriptor.ts";

export const dice = {
  id: "dice",
  procedures: {
    look: {
      name: "dice.look",
      kind: "query",
      path: "/api/dice/look",
      retry: "safe",
      query: { name: "string", sure: "boolean", level: "number", tags: "string[]" },
    },
    roll: { name: "dice.roll", kind: "query", path: "/api/dice/roll", retry: "safe" },
    spend: { name: "dice.spend", kind: "mutation", path: "/api/dice/spend", retry: "unsafe" },
    book: { name: "dice.book", kind: "mutation", path: "/api/dice/book", retry: "keyed" },
    rolls: {
      name: "dice.rolls",
      kind: "subscription",
      path: "/api/dice/rolls",
      retry: "safe",
      query: { sides: "number" },
    },
  },
} as const satisfies ServiceDescriptor;

export interface DiceTypes {
  look: {
    input: { name?: string; sure?: boolean; level?: number | null; tags?: string[]; inner?: { deep: number } };
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
