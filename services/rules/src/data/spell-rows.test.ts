/** The tables of spells against the SRDs' data: levels, saves and concentration agree, and how many spells are computed is counted. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { spells as spells51 } from "../../gen/spells-5.1.ts";
import { spells as spells52 } from "../../gen/spells-5.2.ts";
import { srdEffects } from "../effects/table.ts";
import { allSureSpells } from "./boon-spells.ts";
import { allSaveSpells } from "./condition-spells.ts";
import { ongoingSpells } from "./ongoing-spells.ts";
import { attackSpells } from "./spells.ts";

const rows = { "5.1": spells51, "5.2": spells52 } as const;
const atWork = new Set(srdEffects.filter(({ source }) => source.kind === "effect").map(({ source }) => source.name));
/** Those that the sources of damage know by name. */
const claimed = new Set(["Divine Favor", "Divine Smite", "Hex", "Hunter's Mark", "Searing Smite", "Shining Smite"]);

/** A fight follows these to their end: only time, concentration, damage and a repeated save end them. */
const followed = new Set([
  ...["Bane", "Banishment", "Blindness/Deafness", "Bless", "Blur", "Dominate Beast", "Dominate Monster"],
  ...["Dominate Person", "Faerie Fire", "Foresight", "Greater Invisibility", "Hideous Laughter", "Hold Monster"],
  ...["Hold Person", "Hypnotic Pattern", "Invisibility", "Levitate", "Mislead", "Power Word Stun", "Resilient Sphere"],
  ...["Suggestion", "Wall of Stone"],
]);

/** Of those that go on working: a grip is broken by a check, the caster chooses among several doings, or holders drop what is hot. */
const ongoingInPart = new Set([
  ...["Arcane Hand", "Black Tentacles", "Conjure Elemental", "Control Water", "Eyebite", "Heat Metal", "Telekinesis"],
  ...["Conjure Fey", "Detect Thoughts", "Web"],
]);

/** Computed where something of them is done by hand: distance, what they show, what a creature chooses. */
const partial = new Set([
  ...["Antipathy/Sympathy", "Animal Messenger", "Color Spray", "Dream", "Fire Shield", "Freedom of Movement", "Geas"],
  ...["Glyph of Warding", "Guardian of Faith", "Heroes' Feast", "Imprisonment", "Magic Jar", "Mass Heal"],
  ...["Mirror Image", "Planar Binding", "Prismatic Spray", "Prismatic Wall", "Sanctuary", "See Invisibility"],
  ...["Seeming", "Sleep", "Sorcerous Burst", "Symbol", "Faithful Hound", "Contagion", "Divine Word"],
]);

/** The importer sees another save first, or none: that of a creature that concentrates, passes a wall, or is worded otherwise. */
const unseenSaves = new Set(["Hold Monster", "Earthquake", "Conjure Animals", "Prismatic Wall"]);

describe.each(["5.1", "5.2"] as const)("the spells of the SRD %s", (edition) => {
  const byName = new Map(rows[edition].map((row) => [row.name, row]));
  const tables = [...attackSpells[edition], ...allSaveSpells[edition], ...allSureSpells[edition]];

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
    for (const spell of [...allSaveSpells[edition], ...allSureSpells[edition]])
      expect([spell.name, spell.concentration]).toEqual([spell.name, byName.get(spell.name)?.concentration]);
  });

  test("go on with concentration where the SRD says so", () => {
    for (const { name, concentration } of ongoingSpells[edition])
      expect([name, concentration, tables.some((one) => one.name === name)]).toEqual([
        name,
        byName.get(name)?.concentration,
        true,
      ]);
  });

  test("are counted in the README", () => {
    const rolling = rows[edition].filter(({ does }) => does.length > 0);
    const resolved = new Set(tables.map(({ name }) => name));
    const partly = rolling.filter(({ name }) => resolved.has(name) || atWork.has(name) || claimed.has(name));
    const repeated = new Set(
      allSaveSpells[edition].flatMap((spell) => ("lasting" in spell && spell.lasting.repeats ? [spell.name] : [])),
    );
    const goesOn = new Set(ongoingSpells[edition].map(({ name }) => name));
    const whole = rolling.filter(
      ({ name, instant, concentration }) =>
        resolved.has(name) &&
        !partial.has(name) &&
        !ongoingInPart.has(name) &&
        (instant || followed.has(name) || goesOn.has(name) || (!concentration && !repeated.has(name))),
    );
    const line = `| ${edition} | ${rows[edition].length} | ${rolling.length} | ${partly.length} | ${whole.length} |`;
    expect(readFileSync(new URL("../../README.md", import.meta.url), "utf8")).toContain(line);
  });
});
