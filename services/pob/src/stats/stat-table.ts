/**
 * The stats that people decide by, with unit and which direction is better, in order of importance. The names are Path of
 * Building's, and so are label and unit where the loaded copy has its own; everything it computes is in the raw map.
 */
import type { CallerOutput } from "@fairlead/contracts";
import type { pob } from "@fairlead/contracts/pob";

type CuratedStat = CallerOutput<(typeof pob)["procedures"]["luaGetStats"]>["curated"][number];
type StatRow = Omit<CuratedStat, "value">;
/** How Path of Building itself shows a stat. */
type StatDisplay = { readonly [Name in "label" | "unit" | "better"]?: StatRow[Name] | undefined };

const row =
  (group: StatRow["group"], unit: StatRow["unit"], better: StatRow["better"] = "higher") =>
  (name: StatRow["name"], label: string): StatRow => ({ name, label, unit, better, group });

const damage = row("damage", "per_second");
const hit = row("damage", "number");
const chance = row("damage", "percent");
const pool = row("pool", "number");
const defence = row("defence", "number");
const avoidance = row("avoidance", "percent");
const resistance = row("resistance", "percent");
const recovery = row("recovery", "per_second");
const attribute = row("attribute", "number");
const minion = row("minion", "number");

export const statTable: readonly StatRow[] = [
  damage("FullDPS", "Full DPS"),
  damage("CombinedDPS", "Combined DPS"),
  damage("TotalDPS", "Hit DPS"),
  damage("TotalDotDPS", "Damage over time DPS"),
  damage("TotalDot", "Skill damage over time"),
  damage("IgniteDPS", "Ignite DPS"),
  damage("BleedDPS", "Bleed DPS"),
  damage("PoisonDPS", "Poison DPS"),
  damage("ImpaleDPS", "Impale DPS"),
  damage("CullingDPS", "Culling DPS"),
  damage("MinionTotalDPS", "Minion hit DPS"),
  damage("MinionCombinedDPS", "Minion combined DPS"),
  hit("AverageHit", "Average hit"),
  hit("AverageDamage", "Average damage"),
  row("speed", "per_second")("Speed", "Uses a second"),
  chance("CritChance", "Critical strike chance"),
  row("damage", "multiplier")("CritMultiplier", "Critical strike multiplier"),
  chance("HitChance", "Chance to hit"),
  pool("TotalEHP", "Effective hit pool"),
  pool("SecondMinimalMaximumHitTaken", "Largest hit survived"),
  pool("Life", "Life"),
  pool("LifeUnreserved", "Unreserved life"),
  pool("EnergyShield", "Energy shield"),
  pool("Ward", "Ward"),
  pool("Mana", "Mana"),
  pool("ManaUnreserved", "Unreserved mana"),
  defence("Armour", "Armour"),
  defence("Evasion", "Evasion"),
  row("defence", "percent")("PhysicalDamageReduction", "Physical damage reduction"),
  pool("PhysicalMaximumHitTaken", "Largest physical hit survived"),
  pool("FireMaximumHitTaken", "Largest fire hit survived"),
  pool("ColdMaximumHitTaken", "Largest cold hit survived"),
  pool("LightningMaximumHitTaken", "Largest lightning hit survived"),
  pool("ChaosMaximumHitTaken", "Largest chaos hit survived"),
  avoidance("EffectiveBlockChance", "Chance to block attacks"),
  avoidance("EffectiveSpellBlockChance", "Chance to block spells"),
  avoidance("EffectiveSpellSuppressionChance", "Chance to suppress spells"),
  avoidance("AttackDodgeChance", "Chance to dodge attacks"),
  avoidance("SpellDodgeChance", "Chance to dodge spells"),
  avoidance("MeleeEvadeChance", "Chance to evade melee attacks"),
  avoidance("ProjectileEvadeChance", "Chance to evade projectiles"),
  resistance("FireResist", "Fire resistance"),
  resistance("ColdResist", "Cold resistance"),
  resistance("LightningResist", "Lightning resistance"),
  resistance("ChaosResist", "Chaos resistance"),
  resistance("FireResistOverCap", "Fire resistance over the cap"),
  resistance("ColdResistOverCap", "Cold resistance over the cap"),
  resistance("LightningResistOverCap", "Lightning resistance over the cap"),
  recovery("LifeRegenRecovery", "Life regeneration"),
  recovery("LifeLeechGainRate", "Life from leech and hits"),
  recovery("EnergyShieldRegenRecovery", "Energy shield regeneration"),
  recovery("EnergyShieldRecharge", "Energy shield recharge"),
  recovery("ManaRegenRecovery", "Mana regeneration"),
  row("recovery", "per_second", "lower")("ManaPerSecondCost", "Mana spent"),
  row("recovery", "number", "lower")("ManaCost", "Mana cost"),
  hit("Accuracy", "Accuracy"),
  attribute("Str", "Strength"),
  attribute("Dex", "Dexterity"),
  attribute("Int", "Intelligence"),
  row("speed", "multiplier")("EffectiveMovementSpeedMod", "Movement speed"),
  row("speed", "seconds", "lower")("Cooldown", "Cooldown"),
  minion("MinionLife", "Minion life"),
  minion("ActiveMinionLimit", "Minions at once"),
];

const importance: ReadonlyMap<string, number> = new Map<string, number>(
  statTable.map(({ name }, index) => [name, index]),
);

/** Smaller is more important; stats outside the table come last. */
export const statRank = (name: string): number => importance.get(name) ?? statTable.length;

/** The curated view of a raw map; `display` is how Path of Building itself shows its stats. */
export const curateStats = (
  stats: Readonly<Record<string, number | string>>,
  display: Readonly<Record<string, StatDisplay>> = {},
): CuratedStat[] =>
  statTable.flatMap((one) => {
    const value = stats[one.name];
    if (typeof value !== "number") return [];
    const { label = one.label, unit = one.unit, better = one.better } = display[one.name] ?? {};
    return [{ ...one, label, unit, better, value }];
  });
