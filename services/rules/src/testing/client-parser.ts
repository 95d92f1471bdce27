/**
 * What the parser of the specification's first client read from the text of a result, by its rules and not by its code. For tests only:
 * `raw` must mean to it what the result says.
 */
interface ClientDamage {
  readonly label: string;
  readonly dice: string;
  readonly flatBonus: number;
  readonly damageType: string | undefined;
}

interface ClientResult {
  readonly checkType: string;
  readonly components: string;
  readonly totalModifier: string;
  readonly total: number;
  readonly dcOrAc: string;
  readonly success: boolean;
  readonly notes: string;
  readonly impossible: boolean;
  readonly noCheck: boolean;
  /** Only of a success. */
  readonly damage: readonly ClientDamage[];
}

/** Throws where the parser would have fallen back to a default. */
export const parseAsClient = (raw: string): ClientResult => {
  const lines = raw.split("\n");
  const read = (label: string): string => {
    const found = lines.find((line) => line.startsWith(`${label}: `));
    if (found === undefined) throw new Error(`no line ${label}`);
    return found.slice(label.length + 2).trim();
  };
  const checkType = read("CHECK");
  const notes = read("NOTES");
  if (checkType === "IMPOSSIBLE" || checkType === "NONE") {
    const nothing = { components: "", totalModifier: "+0", total: 0, dcOrAc: "N/A", success: false, damage: [] };
    return { ...nothing, checkType, notes, impossible: checkType === "IMPOSSIBLE", noCheck: checkType === "NONE" };
  }
  const roll = /^(\d+) \+ ([+-]?\d+) = (-?\d+)$/.exec(read("ROLL"));
  if (roll === null) throw new Error(`no roll in ${read("ROLL")}`);
  const [, , modifier = "", total = ""] = roll;
  const success = read("RESULT").toUpperCase().includes("SUCCESS");
  const components = read("COMPONENTS");
  if (components === "") throw new Error("no components");
  return {
    checkType,
    components,
    totalModifier: /^[+-]/.test(modifier) ? modifier : `+${modifier}`,
    total: Number(total),
    dcOrAc: read("DC/AC"),
    success,
    notes,
    impossible: false,
    noCheck: false,
    damage: success ? parseDamage(read("DAMAGE")) : [],
  };
};

const parseDamage = (written: string): readonly ClientDamage[] =>
  written.toUpperCase() === "N/A" ? [] : written.split(";").map((source) => parseSource(source.trim()));

const parseSource = (source: string): ClientDamage => {
  const colon = source.indexOf(":");
  const [rolled = "", ...words] = source
    .slice(colon + 1)
    .trim()
    .split(" ");
  const type = words.join(" ");
  const [, dice, flat] = /^(\d+d\d+)([+-]\d+)?$/i.exec(rolled) ?? [];
  if (colon === -1 || dice === undefined) throw new Error(`no damage in ${source}`);
  const damageType = type.trim() === "" ? undefined : type.trim();
  return { label: source.slice(0, colon).trim(), dice, flatBonus: Number(flat ?? 0), damageType };
};
