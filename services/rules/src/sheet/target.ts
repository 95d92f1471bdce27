/** Which creature is attacked: by id first, then by name. Several matches are a refusal that lists them. */
import type { Game, Npc } from "@fairlead/contracts/rules";
import { lookUp } from "./lookup.ts";
import { fold, sameName } from "./names.ts";

const displayName = ({ id, name }: Pick<Npc, "id" | "name">): string => {
  if (id === "") return name;
  return id.startsWith(`${name} #`) ? id : `${name} (${id})`;
};

/** Creatures of one name without ids are distinguished by their place among them: "Goblin #2". */
const numbered = (npcs: readonly Npc[]): readonly Npc[] => {
  const twins = Map.groupBy(npcs, ({ name }) => fold(name));
  return npcs.map((npc) => {
    const same = twins.get(fold(npc.name)) ?? [];
    return npc.id !== "" || same.length === 1 ? npc : { ...npc, id: `${npc.name} #${same.indexOf(npc) + 1}` };
  });
};

/** A name for each creature that `findTarget` finds again: its own where no other has it, else with the id. */
export const targetNames = ({ npcs: sent }: Pick<Game, "npcs">): readonly string[] => {
  const npcs = numbered(sent);
  const counts = new Map<string, number>();
  for (const { name } of npcs) counts.set(fold(name), (counts.get(fold(name)) ?? 0) + 1);
  return [...new Set(npcs.map((npc) => (counts.get(fold(npc.name)) === 1 ? npc.name : displayName(npc))))];
};

/** Other spellings of one of several: "Goblin (goblin-2)", "Goblin 2", "Goblin #2". The number is that at the end of its id. */
export const creatureAliases = ({ id, name }: Pick<Npc, "id" | "name">): readonly string[] => {
  if (id === "") return [];
  const number = /[1-9]\d{0,2}$/.exec(id)?.[0];
  return [displayName({ id, name }), ...(number === undefined ? [] : [`${name} ${number}`, `${name} #${number}`])];
};

/** Refuses with `unknown_target` or `ambiguous_name`. */
export const findTarget = ({ npcs: sent }: Pick<Game, "npcs">, name: string): Npc => {
  const npcs = numbered(sent);
  const known = npcs.filter(({ id }) => id !== "" && sameName(id, name));
  const byId = known.length > 1 ? known.filter(({ id }) => id === name) : known;
  if (byId.length === 1 && byId[0] !== undefined) return byId[0];
  const named = npcs.map((npc) => ({ name: npc.name, aliases: creatureAliases(npc), value: npc }));
  return lookUp(name, named, {
    what: "target",
    reason: "unknown_target",
    several: "several creatures in the scene could be meant",
    none: "no creature in the scene has that name",
    shown: displayName,
  });
};
