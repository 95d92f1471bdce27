/** What damaging spells do beside the damage: conditions and marks, hit points drained and spared, creature types distinguished. */
import { type Case, runCases } from "../testing/case.ts";

const caster = {
  characterClass: "Wizard",
  level: 11,
  stats: { intelligence: 18 },
  currentHP: 10,
  maxHP: 40,
  spellSlots: { "1": 4, "2": 3, "3": 3, "4": 3, "5": 2, "6": 1, "8": 1, "9": 1 },
};

/** The spell attack has +8; the goblin saves against DC 16. */
const cast = (spell: string, name: string, rest: Partial<Case> & Pick<Case, "dice" | "want">): Case => ({
  attack: { weapon: spell, is_spell_attack: true, spell_name: spell },
  ...rest,
  name: `${spell}: ${name}`,
  player: { ...caster, cantrips: [spell], ...rest.player },
});

const ones = (count: number) => Array.from({ length: count }, () => 1);
const only51 = { editions: ["5.1"] } as const;
const only52 = { editions: ["5.2"] } as const;
/** Changes of a first casting in each edition. */
const spending = (spell: string, level: number, edition: "5.1" | "5.2", ...then: string[]) => [
  `Aria spellSlotsUsed.${level}=1`,
  ...(edition === "5.2" ? ["Aria scene.usedThisTurn+Spell Slot"] : []),
  ...(spell === "" ? [] : [`Aria scene.usedThisTurn+${spell}`]),
  ...then,
];

runCases("what a hit leaves", "spell-effect", [
  cast("Chill Touch", "no healing", {
    dice: [15, ...ones(3)],
    want: { changes: ["Goblin currentHp=97", "Goblin conditions+Chill Touch"], notes: /regains no hit points/ },
  }),
  cast("Ray of Frost", "10 feet less speed", {
    dice: [15, ...ones(3)],
    want: { changes: ["Goblin currentHp=97", "Goblin conditions+Slowed"] },
  }),
  cast("Shocking Grasp", "5.1: no reactions", {
    ...only51,
    dice: [15, ...ones(3)],
    want: { notes: /takes no reactions/ },
  }),
  cast("Shocking Grasp", "5.2: no opportunity attacks", {
    ...only52,
    dice: [15, ...ones(3)],
    want: { notes: /no opportunity attacks/ },
  }),
  cast("Ray of Sickness", "poisoned", {
    ...only52,
    dice: [15, 1, 1],
    want: { changes: spending("", 1, "5.2", "Goblin currentHp=98", "Goblin conditions+Poisoned") },
  }),
  cast("Acid Arrow", "more at the end of its next turn", {
    dice: [15, ...ones(4)],
    want: { changes: spending("", 2, "5.1", "Goblin currentHp=96", "Goblin conditions+Acid Arrow") },
    in52: { changes: spending("", 2, "5.2", "Goblin currentHp=96", "Goblin conditions+Acid Arrow") },
  }),
  cast("Acid Arrow", "a splash leaves nothing behind", {
    dice: [2, 2, 2, 2, 2],
    want: { changes: spending("", 2, "5.1", "Goblin currentHp=96") },
    in52: { changes: spending("", 2, "5.2", "Goblin currentHp=96") },
  }),
  cast("Guiding Bolt", "a mark for the next attack", {
    dice: [15, ...ones(4)],
    want: { changes: spending("", 1, "5.1", "Goblin currentHp=96", "Goblin conditions+Guiding Bolt") },
    in52: { changes: spending("", 1, "5.2", "Goblin currentHp=96", "Goblin conditions+Guiding Bolt") },
  }),
  {
    name: "Guiding Bolt: that attack has advantage, and takes the mark away",
    player: { inventory: ["Mace"] },
    npc: { conditions: ["Guiding Bolt"] },
    attack: { weapon: "Mace" },
    dice: [3, 17, 1],
    want: { die: 17, changes: ["Goblin conditions-Guiding Bolt", "Goblin currentHp=99"] },
  },
  {
    name: "Starry Wisp: invisible no more",
    ...only52,
    player: { inventory: ["Mace"] },
    npc: { conditions: ["Invisible", "Starry Wisp"] },
    attack: { weapon: "Mace" },
    dice: [3],
    want: { die: 3 },
  },
]);

runCases("what a failed save brings", "spell-effect", [
  cast("Vicious Mockery", "disadvantage on an attack", {
    dice: [15, ...ones(3)],
    want: { changes: ["Goblin currentHp=97", "Goblin conditions+Vicious Mockery"] },
  }),
  cast("Vicious Mockery", "nothing on a success", { dice: [16], want: { changes: [] } }),
  cast("Sunbeam", "blinded", {
    dice: [15, ...ones(6)],
    want: {
      changes: spending(
        "Sunbeam",
        6,
        "5.1",
        "Aria conditions+Concentrating (Sunbeam)",
        "Goblin currentHp=94",
        "Goblin conditions+Blinded",
      ),
    },
    in52: {
      changes: spending(
        "Sunbeam",
        6,
        "5.2",
        "Aria conditions+Concentrating (Sunbeam)",
        "Goblin currentHp=94",
        "Goblin conditions+Blinded",
      ),
    },
  }),
  cast("Sunbeam", "half of the damage and both eyes on a success", {
    dice: [16, ...ones(6)],
    want: { changes: spending("Sunbeam", 6, "5.1", "Aria conditions+Concentrating (Sunbeam)", "Goblin currentHp=97") },
    in52: { changes: spending("Sunbeam", 6, "5.2", "Aria conditions+Concentrating (Sunbeam)", "Goblin currentHp=97") },
  }),
  cast("Sunburst", "blinded", { dice: [15, ...ones(12)], want: { notes: /blinded for 1 minute/ } }),
  cast("Black Tentacles", "restrained", { dice: [15, ...ones(3)], want: { notes: /restrained until the spell ends/ } }),
  cast("Thunderwave", "pushed, which is not a condition", {
    dice: [15, 1, 1],
    want: { notes: /pushed 10 feet/, changes: spending("Thunderwave", 1, "5.1", "Goblin currentHp=98") },
    in52: { changes: spending("Thunderwave", 1, "5.2", "Goblin currentHp=98") },
  }),
  cast("Dissonant Whispers", "moves away", { ...only52, dice: [15, ...ones(3)], want: { notes: /moves? away/ } }),
  cast("Mind Spike", "cannot hide", { ...only52, dice: [15, ...ones(3)], want: { notes: /cannot hide/ } }),
  cast("Phantasmal Killer", "disadvantage", { ...only52, dice: [15, ...ones(4)], want: { notes: /disadvantage on/ } }),
  cast("Vitriolic Sphere", "5d4 later", {
    ...only52,
    dice: [15, ...ones(10)],
    want: { damage: 10, notes: /5d4 acid/ },
  }),
  cast("Befuddlement", "no spells", {
    ...only52,
    dice: [15, ...ones(10)],
    want: { damage: 10, notes: /casts no spells/ },
  }),
  cast("Weird", "frightened", { ...only52, dice: [15, ...ones(10)], want: { notes: /frightened while/ } }),
]);

runCases("hit points drained and spared", "spell-effect", [
  cast("Vampiric Touch", "half of 15 is 7", {
    dice: [15, 6, 5, 4],
    want: {
      changes: spending(
        "",
        3,
        "5.1",
        "Aria conditions+Concentrating (Vampiric Touch)",
        "Goblin currentHp=85",
        "Aria currentHP=17",
      ),
    },
    in52: {
      changes: spending(
        "",
        3,
        "5.2",
        "Aria conditions+Concentrating (Vampiric Touch)",
        "Goblin currentHp=85",
        "Aria currentHP=17",
      ),
    },
  }),
  cast("Vampiric Touch", "half of what goes through: 7, 3", {
    npc: { resistances: ["necrotic"] },
    dice: [15, 6, 5, 4],
    want: { damage: 7, notes: /regains 3 hit points/ },
  }),
  cast("Vampiric Touch", "no more than the maximum", {
    player: { currentHP: 38 },
    dice: [15, 6, 5, 4],
    want: { notes: /regains 2 hit points/ },
  }),
  cast("Vampiric Touch", "the maximum that exhaustion leaves", {
    ...only51,
    player: { currentHP: 18, exhaustion: 4 },
    dice: [15, 15, 6, 5, 4],
    want: { notes: /regains 2 hit points/ },
  }),
  cast("Vampiric Touch", "a miss heals nothing", {
    dice: [2],
    want: { changes: spending("", 3, "5.1", "Aria conditions+Concentrating (Vampiric Touch)") },
    in52: { changes: spending("", 3, "5.2", "Aria conditions+Concentrating (Vampiric Touch)") },
  }),
  cast("Harm", "the maximum falls; 5.1 leaves 1 hit point", {
    npc: { currentHp: 10 },
    dice: [15, ...ones(14)],
    want: { changes: spending("Harm", 6, "5.1", "Goblin currentHp=1", "Goblin maxHp=86") },
    in52: { changes: spending("Harm", 6, "5.2", "Goblin currentHp=0", "Goblin maxHp=86") },
  }),
  cast("Harm", "not on a success", {
    dice: [16, ...ones(14)],
    want: { changes: spending("Harm", 6, "5.1", "Goblin currentHp=93") },
    in52: { changes: spending("Harm", 6, "5.2", "Goblin currentHp=93") },
  }),
  cast("Harm", "the maximum stays at least 1", {
    npc: { currentHp: 10, maxHp: 10 },
    dice: [15, ...ones(14)],
    want: { notes: /maximum of Goblin is 1 for 1 hour/ },
    in52: { notes: /maximum of Goblin is 1$/ },
  }),
  cast("Harm", "who is at 0 stays there", {
    ...only51,
    npc: { currentHp: 0 },
    dice: [15, ...ones(14)],
    want: { changes: spending("Harm", 6, "5.1", "Goblin maxHp=86") },
  }),
]);

runCases("spells that tell creatures apart", "spell-effect", [
  cast("Blight", "5.1: a plant saves badly and takes the most", {
    ...only51,
    npc: { creatureType: "Plant" },
    dice: [18, 15],
    want: { die: 15, damage: 64, lines: ["Blight +64 necrotic"] },
  }),
  cast("Blight", "5.1: and half of the most", {
    ...only51,
    npc: { creatureType: "Plant" },
    dice: [18, 16],
    want: { damage: 32 },
  }),
  cast("Blight", "5.2: a plant does not save", {
    ...only52,
    npc: { creatureType: "Plant" },
    dice: ones(8),
    want: { die: 0, damage: 8, notes: /Plant|plant/ },
  }),
  cast("Blight", "5.1: nothing to the undead", {
    ...only51,
    npc: { creatureType: "Undead" },
    dice: [],
    want: { impossible: /does nothing to Goblin/ },
  }),
  cast("Blight", "5.2: the undead are no different", {
    ...only52,
    npc: { creatureType: "Undead" },
    dice: [15, ...ones(8)],
    want: { damage: 8 },
  }),
  cast("Sunbeam", "5.1: the undead save badly", {
    ...only51,
    npc: { creatureType: "undead (shapechanger)" },
    dice: [18, 5, ...ones(6)],
    want: { die: 5 },
  }),
  cast("Sunbeam", "5.2: the undead save like others", {
    ...only52,
    npc: { creatureType: "Undead" },
    dice: [18, ...ones(6)],
    want: { die: 18 },
  }),
  cast("Shatter", "5.2: a construct saves badly", {
    ...only52,
    npc: { creatureType: "Construct" },
    dice: [18, 5, ...ones(3)],
    want: { die: 5, rules: ["spell-effect"] },
  }),
]);
