/** Which creature is attacked: by id first, then by name. Several matches are a question back. */
import type { Game, Npc } from "@fairlead/contracts/rules";
import { fold, match } from "../names.ts";
import { listing, Refusal } from "../refusal.ts";

const shown = ({ id, name }: Npc): string => (id === "" ? name : `${name} (${id})`);

/** A name for each creature that `findTarget` finds again: its own where no other has it, else with the id. */
export const targetNames = ({ npcs }: Pick<Game, "npcs">): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { name } of npcs) counts.set(fold(name), (counts.get(fold(name)) ?? 0) + 1);
  return [...new Set(npcs.map((npc) => (counts.get(fold(npc.name)) === 1 ? npc.name : shown(npc))))];
};

/** Refuses with `unknown_target` or `ambiguous_name`. */
export const findTarget = ({ npcs }: Pick<Game, "npcs">, wanted: string): Npc => {
  const byId = npcs.filter(({ id }) => id !== "" && id === wanted);
  if (byId.length === 1 && byId[0] !== undefined) return byId[0];
  const found = match(
    wanted,
    npcs.map((npc) => ({ name: npc.name, aliases: npc.id === "" ? [] : [shown(npc)], value: npc })),
  );
  switch (found.kind) {
    case "one":
      return found.found.value;
    case "several": {
      const candidates = found.found.map(({ value }) => shown(value)).slice(0, 20);
      const message = `several creatures in the scene could be meant: ${listing(candidates)}`;
      throw new Refusal("ambiguous_name", message, { what: "target", name: wanted, candidates });
    }
    case "none": {
      const known = npcs.map(shown).slice(0, 40);
      const message = `no creature in the scene has that name; known: ${listing(known)}`;
      throw new Refusal("unknown_target", message, { name: wanted, known });
    }
  }
};
