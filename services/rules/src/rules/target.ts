/** Which creature is attacked: by id first, then by name. Several matches are a question back. */
import type { Game, Npc } from "@fairlead/contracts/rules";
import { match } from "../names.ts";
import { Refusal } from "../refusal.ts";

const shown = ({ id, name }: Npc): string => (id === "" ? name : `${name} (${id})`);

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
    case "several":
      throw new Refusal("ambiguous_name", "several creatures in the scene could be meant", {
        what: "target",
        name: wanted,
        candidates: found.found.map(({ value }) => shown(value)),
      });
    case "none":
      throw new Refusal("unknown_target", "no creature in the scene has that name", {
        name: wanted,
        known: npcs.map(shown).slice(0, 40),
      });
  }
};
