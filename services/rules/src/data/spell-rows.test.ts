/** The tables of spells against the SRDs' data: levels, saves and concentration agree, and how many spells are computed is counted. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { spells as spells51 } from "../../gen/spells-5.1.ts";
import { spells as spells52 } from "../../gen/spells-5.2.ts";
import { srdEffects } from "../effects/table.ts";
import { allSaveSpells } from "./condition-spells.ts";
import { attackSpells } from "./spells.ts";
import { sureSpells } from "./sure-spells.ts";

const rows = { "5.1": spells51, "5.2": spells52 } as const;
const atWork = new Set(srdEffects.filter(({ source }) => source.kind === "effect").map(({ source }) => source.name));
/** Those that the sources of damage know by name. */
const claimed = new Set(["Divine Favor", "Divine Smite", "Hex", "Hunter's Mark", "Searing Smite", "Shining Smite"]);

/** A fight follows these to their end: only time, concentration and a repeated save end them. */
const followed = new Set(["Bane", "Blindness/Deafness", "Hold Monster", "Hold Person"]);

/** The importer does not see the save of Hold Monster in the 5.1, whose text puts the words otherwise. */
const unseenSaves = new Set(["Hold Monster"]);

describe.each(["5.1", "5.2"] as const)("the spells of the SRD %s", (edition) => {
  const byName = new Map(rows[edition].map((row) => [row.name, row]));
  const tables = [...attackSpells[edition], ...allSaveSpells[edition], ...sureSpells[edition]];

  test("are each in the SRD, with its level", () => {
    expect(tables.map(({ name, level }) => [name, level])).toEqual(
      tables.map(({ name }) => [name, byName.get(name)?.level]),
    );
  });

  test("force the save that the SRD names", () => {
    const seen = allSaveSpells[edition].filter(({ name }) => !unseenSaves.has(name));
    expect(seen.map(({ name, ability }) => [name, ability])).toEqual(
      seen.map(({ name }) => [name, byName.get(name)?.save]),
    );
  });

  test("need concentration as the SRD says", () => {
    for (const spell of allSaveSpells[edition])
      expect([spell.name, spell.concentration]).toEqual([spell.name, byName.get(spell.name)?.concentration]);
  });

  test("are counted in the README", () => {
    const rolling = rows[edition].filter(({ does }) => does.length > 0);
    const resolved = new Set(tables.map(({ name }) => name));
    const partly = rolling.filter(({ name }) => resolved.has(name) || atWork.has(name) || claimed.has(name));
    const repeated = new Set(
      allSaveSpells[edition].flatMap((spell) => ("lasting" in spell && spell.lasting.repeats ? [spell.name] : [])),
    );
    const whole = rows[edition].filter(
      ({ name, instant, concentration }) =>
        resolved.has(name) && (instant || followed.has(name) || (!concentration && !repeated.has(name))),
    );
    const line = `| ${edition} | ${rows[edition].length} | ${rolling.length} | ${partly.length} | ${whole.length} |`;
    expect(readFileSync(new URL("../../README.md", import.meta.url), "utf8")).toContain(line);
  });
});
