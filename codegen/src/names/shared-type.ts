/**
 * Definitions of all contracts that are one type: they have the same id, or none, and say the same.
 *
 * Not here: their names (`authored-names`, `anonymous-names`).
 */
import type { DiagnosticPlace } from "../model/diagnostics.ts";
import type { SchemaSide } from "../schema/lower.ts";
import type { DefinitionPlace, DefinitionUse } from "./definitions.ts";

export interface SharedType {
  readonly id: string | undefined;
  readonly text: string;
  readonly sides: ReadonlySet<SchemaSide>;
  /** In the order of the contracts; never empty. */
  readonly uses: readonly [DefinitionUse, ...DefinitionUse[]];
}

export const groupTypes = (uses: readonly DefinitionUse[]): readonly SharedType[] => {
  const groups = new Map<string, [DefinitionUse, ...DefinitionUse[]]>();
  for (const use of uses) {
    const key = `${use.id === undefined ? "" : JSON.stringify(use.id)} ${use.text}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [use]);
    else group.push(use);
  }
  return [...groups.values()].map((group) => ({
    id: group[0].id,
    text: group[0].text,
    sides: new Set(group.map(({ side }) => side)),
    uses: group,
  }));
};

/** A place as the lock and messages write it: `rules.replay output past[]`, or `Money input parts` below an id. */
export const placeText = ({ base, path }: DefinitionPlace): string => {
  const where = "id" in base ? `${base.id} ${base.side}` : base.where;
  return path === "" ? where : `${where} ${path}`;
};

/** Every place of a type, without repeats. */
export const listPlaces = ({ uses }: SharedType): readonly string[] => [
  ...new Set(uses.flatMap(({ places }) => places.map(placeText))),
];

/** Where a diagnostic about a type points to: its first place. */
export const typePlace = ({ uses: [{ service, places }] }: SharedType): DiagnosticPlace => ({
  source: service.source,
  where: places[0] === undefined ? service.id : placeText(places[0]),
});

/** The first of those that come most often. */
export const mostFrequent = <T>(items: readonly T[]): T | undefined => {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  let best: T | undefined;
  for (const [item, count] of counts) if (best === undefined || count > (counts.get(best) ?? 0)) best = item;
  return best;
};
