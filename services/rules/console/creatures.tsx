/** Everybody in a fight, in the order of initiative. Names and conditions are text. */
import { Badge, Card } from "@fairlead/console/kit";
import type { Encounter, EncounterCreature } from "./api.ts";

export const Creatures = ({ state }: { readonly state: Encounter }) => (
  <Card title="Initiative">
    <ol className="divide-y divide-line">
      {state.creatures.map((creature) => (
        <Row key={creature.id} creature={creature} hasTurn={!state.over && creature.id === state.turn} />
      ))}
    </ol>
  </Card>
);

const Row = ({ creature, hasTurn }: { readonly creature: EncounterCreature; readonly hasTurn: boolean }) => {
  const { id, name, side, initiative, ac, hp, maxHp, temporaryHp, deathSaves, reaction, slots, legendary } = creature;
  return (
    <li
      aria-current={hasTurn ? "step" : undefined}
      className={`flex gap-3 px-4 py-3 ${hasTurn ? "bg-accent-soft" : ""}`}
    >
      <span className="tabular w-8 shrink-0 text-right text-lg font-semibold text-soft">{initiative}</span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-2">
          <span className={`font-semibold break-words ${hp === 0 ? "text-soft" : ""}`}>
            {hasTurn && <span aria-hidden="true">▶ </span>}
            {name}
          </span>
          <span className="font-mono text-xs text-soft break-words">{id}</span>
          <Badge tone={side === "party" ? "good" : "bad"}>{side === "party" ? "party" : "foe"}</Badge>
          <span className="tabular text-xs text-soft">AC {ac}</span>
          {!reaction && <span className="text-xs text-soft">reaction used</span>}
        </p>
        <HitPoints hp={hp} maxHp={maxHp} temporaryHp={temporaryHp} />
        <Conditions creature={creature} />
        {deathSaves !== undefined && (
          <p className="tabular text-xs text-bad">
            dying: {deathSaves.successes} saved, {deathSaves.failures} failed
          </p>
        )}
        {slots !== undefined && (
          <p className="tabular text-xs text-soft">
            slots{" "}
            {Object.entries(slots)
              .map(([level, left]) => `${level}: ${left}`)
              .join(", ")}
          </p>
        )}
        {legendary !== undefined && (
          <p className="tabular text-xs text-soft">
            {legendary.left} legendary actions, {legendary.resistances} resistances left
          </p>
        )}
      </div>
    </li>
  );
};

const HitPoints = ({ hp, maxHp, temporaryHp }: Pick<EncounterCreature, "hp" | "maxHp" | "temporaryHp">) => {
  const share = maxHp === 0 ? 0 : Math.min(1, hp / maxHp);
  const tone = share > 0.5 ? "bg-good" : share > 0.25 ? "bg-warn" : "bg-bad";
  return (
    <div className="mt-1 flex items-center gap-3">
      {/* The numbers beside it say the same. */}
      <div aria-hidden="true" className="flex-1 overflow-hidden rounded-full bg-sunk">
        <div className={`rounded-full ${tone}`} style={{ width: `${share * 100}%`, height: "6px" }} />
      </div>
      <span className="tabular w-24 shrink-0 text-right text-sm">
        {hp} of {maxHp}
        {temporaryHp > 0 && ` + ${temporaryHp}`}
      </span>
    </div>
  );
};

const Conditions = ({ creature: { conditions, ends = [] } }: { readonly creature: EncounterCreature }) =>
  conditions.length === 0 ? null : (
    <p className="mt-1 flex flex-wrap gap-1">
      {conditions.map((condition) => {
        const end = ends.find(({ name }) => name === condition);
        return (
          <Badge key={condition} tone="warn">
            {condition}
            {end !== undefined && (
              <span className="text-soft">
                {end.left} turn{end.left === 1 ? "" : "s"}
                {end.save !== undefined && `, ${end.save}`}
              </span>
            )}
          </Badge>
        );
      })}
    </p>
  );
