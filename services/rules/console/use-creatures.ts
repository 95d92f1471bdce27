/** The two creatures of a setup as the rules know them, each asked for by itself: a name that nothing has spoils one of them. */
import { api, type CreatureByValue, type CreatureSource, type Edition } from "./api.ts";
import { type Setup, type Side, toSource } from "./setup.ts";

interface CreatureAnswer {
  readonly creature: CreatureByValue | undefined;
  readonly error: Error | null;
}

const useCreature = (side: Side, edition: Edition): CreatureAnswer => {
  // A named boundary: a sheet is JSON that somebody writes, and the service says what is wrong with it.
  const of = [toSource(side) as CreatureSource];
  const isNamed = side.kind === "sheet" || side.name.trim() !== "";
  const { data, error } = api.useQuery("creatures", { edition, of }, { enabled: isNamed });
  return { creature: error === null ? data?.creatures[0] : undefined, error };
};

export const useCreatures = ({ actor, target, edition }: Setup) => ({
  actor: useCreature(actor, edition),
  target: useCreature(target, edition),
});
