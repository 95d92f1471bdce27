/** Sources of advantage and disadvantage on attack rolls, and how they cancel. */
import { type Case, runCases } from "../testing/case.ts";

const mace = { inventory: ["Mace", "Shortbow"], weaponProficiencies: ["Simple Weapons"] };

/** 3 and 17 fall: the higher counts with advantage, the lower with disadvantage, the first alone otherwise. */
const lean = (name: string, side: "advantage" | "disadvantage" | "neither", row: Partial<Case>): Case => ({
  attack: { weapon: "Mace" },
  dice: side === "neither" ? [3] : side === "advantage" ? [3, 17, 1] : [3, 17],
  ...row,
  name: `${name}: ${side}`,
  player: { ...mace, ...row.player },
  want: { die: side === "advantage" ? 17 : 3, ...row.want },
});

const bow = { attack: { weapon: "Shortbow" } };
const attacker = (condition: string) => ({ player: { conditions: [condition] } });
const target = (condition: string) => ({ npc: { conditions: [condition] } });

runCases("advantage and disadvantage", "advantage-and-disadvantage", [
  lean("nothing special", "neither", {}),
  lean("one reason granted", "advantage", { source: "table-ruling", scene: { advantage: ["high ground"] } }),
  lean("three reasons granted roll two dice", "advantage", { scene: { advantage: ["a", "b", "c"] } }),
  lean("one reason imposed", "disadvantage", { source: "table-ruling", scene: { disadvantage: ["dim light"] } }),
  lean("one of each cancels", "neither", { scene: { advantage: ["a"], disadvantage: ["b"] } }),
  lean("three against one cancel", "neither", { scene: { advantage: ["a", "b", "c"], disadvantage: ["d"] } }),
  lean("one against three cancels", "neither", { scene: { advantage: ["a"], disadvantage: ["b", "c", "d"] } }),
]);

runCases("unseen attackers and targets", "unseen", [
  lean("attacker unseen", "advantage", { scene: { attackerUnseen: true } }),
  lean("target unseen", "disadvantage", { scene: { targetUnseen: true } }),
  lean("neither sees the other", "neither", { scene: { attackerUnseen: true, targetUnseen: true } }),
]);

runCases("conditions of attacker and target", "condition", [
  lean("attacker invisible", "advantage", attacker("Invisible")),
  lean("attacker blinded", "disadvantage", attacker("Blinded")),
  lean("attacker poisoned", "disadvantage", attacker("Poisoned")),
  lean("attacker restrained", "disadvantage", attacker("Restrained")),
  lean("attacker prone", "disadvantage", attacker("Prone")),
  lean("attacker frightened, source in sight", "disadvantage", attacker("Frightened")),
  lean("attacker frightened, source out of sight", "neither", {
    ...attacker("Frightened"),
    scene: { fearSourceInSight: false },
  }),
  lean("attacker deafened", "neither", attacker("Deafened")),
  lean("attacker charmed by another", "neither", attacker("Charmed")),
  lean("conditions are read in any case", "disadvantage", attacker("pOISONED")),
  lean("target blinded", "advantage", target("Blinded")),
  lean("target restrained", "advantage", target("Restrained")),
  lean("target stunned", "advantage", target("Stunned")),
  lean("target petrified", "advantage", target("Petrified")),
  lean("target invisible", "disadvantage", target("Invisible")),
  lean("target incapacitated and nothing else", "neither", target("Incapacitated")),
  lean("target grappled", "neither", target("Grappled")),
  lean("target prone, attacker beside it", "advantage", target("Prone")),
  lean("target prone, archer at 30 feet", "disadvantage", { ...bow, npc: { conditions: ["Prone"], distance: 30 } }),
  lean("target prone, archer at no stated distance", "disadvantage", { ...bow, ...target("Prone") }),
  lean("target prone, reach weapon at 10 feet", "disadvantage", {
    player: { inventory: ["Halberd"], weaponProficiencies: ["Martial Weapons"], stats: { strength: 14 } },
    attack: { weapon: "Halberd" },
    npc: { conditions: ["Prone"], distance: 10 },
  }),
]);

runCases("dodging", "dodge", [
  lean("target dodging", "disadvantage", { npc: { dodging: true } }),
  lean("target dodging and incapacitated", "neither", { npc: { dodging: true, conditions: ["Incapacitated"] } }),
  lean("target dodging and grappled: its speed is 0", "neither", {
    npc: { dodging: true, conditions: ["Grappled"] },
  }),
  lean("target dodging and blinded", "advantage", { npc: { dodging: true, conditions: ["Blinded"] } }),
  lean("a bow beside a hostile that cannot see the shooter", "advantage", {
    source: "ranged-in-close-combat",
    player: { inventory: ["Shortbow"], conditions: ["Invisible"] },
    npc: { distance: 5 },
    attack: { weapon: "Shortbow" },
  }),
  lean("target dodging from an unseen attacker", "advantage", {
    npc: { dodging: true },
    scene: { attackerUnseen: true },
  }),
]);

runCases("exhaustion", "exhaustion", [
  lean("5.1 exhaustion 2", "neither", { editions: ["5.1"], player: { exhaustion: 2 } }),
  lean("5.1 exhaustion 3", "disadvantage", { editions: ["5.1"], player: { exhaustion: 3 } }),
  lean("5.2 exhaustion 3 takes 6 instead", "neither", {
    editions: ["5.2"],
    player: { exhaustion: 3 },
    want: { modifier: "-4" },
  }),
  ...["Exhaustion 3", "exhaustion (3)", "Exhausted: level 3"].map((written) =>
    lean(`5.1 as a condition, "${written}"`, "disadvantage", { editions: ["5.1"], ...attacker(written) }),
  ),
  lean("5.2 as a condition without a level: 2 less", "neither", {
    editions: ["5.2"],
    ...attacker("Exhaustion"),
    want: { modifier: "+0" },
  }),
]);

runCases("reckless attack", "reckless-attack", [
  lean("reckless attack with strength in melee", "advantage", { player: { effects: [{ name: "Reckless Attack" }] } }),
  lean("reckless attack with a bow", "neither", { ...bow, player: { effects: [{ name: "Reckless Attack" }] } }),
  lean("5.1 reckless attack with a thrown axe", "neither", {
    editions: ["5.1"],
    player: { inventory: ["Handaxe"], effects: [{ name: "Reckless Attack" }] },
    npc: { distance: 20 },
    attack: { weapon: "Handaxe" },
  }),
  lean("5.2 reckless attack with a thrown axe", "advantage", {
    editions: ["5.2"],
    player: { inventory: ["Handaxe"], effects: [{ name: "Reckless Attack" }] },
    npc: { distance: 20 },
    attack: { weapon: "Handaxe" },
  }),
]);

runCases("vexed and sapped", "vex", [
  lean("5.2 vexed target", "advantage", {
    editions: ["5.2"],
    player: { effects: [{ name: "Vex", target: "Goblin" }] },
  }),
  lean("5.2 two vexed creatures, this one the second", "advantage", {
    editions: ["5.2"],
    player: {
      effects: [
        { name: "Vex", target: "Ogre" },
        { name: "Vex", target: "goblin-1" },
      ],
    },
    want: { changes: ["Aria effects-Vex: goblin-1", "Goblin currentHp=99"] },
  }),
  lean("5.2 another creature vexed", "neither", {
    editions: ["5.2"],
    player: { effects: [{ name: "Vex", target: "Ogre" }] },
  }),
  lean("5.2 sapped attacker", "disadvantage", {
    source: "sap",
    editions: ["5.2"],
    player: { effects: [{ name: "Sap" }] },
  }),
  lean("5.1 knows no vex", "neither", { editions: ["5.1"], player: { effects: [{ name: "Vex" }] } }),
]);

runCases("ranged attacks in close combat", "ranged-in-close-combat", [
  lean("hostile within 5 feet hampers no melee", "neither", { scene: { hostileWithin5ft: true } }),
  lean("the target itself within 5 feet hampers the archer", "disadvantage", { ...bow, npc: { distance: 5 } }),
  lean("a friendly target within 5 feet hampers nobody", "neither", {
    ...bow,
    npc: { distance: 5, disposition: "friendly" },
  }),
]);

runCases("dice that replace dice", "halfling-luck", [
  {
    name: "halfling luck rolls a natural 1 again",
    player: { ...mace, race: "Lightfoot Halfling" },
    attack: { weapon: "Mace" },
    dice: [1, 17, 4],
    want: { die: 17, success: true, rules: ["halfling-luck", "!natural-1"] },
  },
  {
    name: "luck rolls again only once, and the new 1 stays",
    player: { ...mace, race: "halfling" },
    attack: { weapon: "Mace" },
    dice: [1, 1],
    want: { die: 1, success: false, rules: ["natural-1"] },
  },
  {
    name: "with advantage only one of two dice is rolled again",
    player: { ...mace, race: "Halfling" },
    scene: { advantage: ["help"] },
    attack: { weapon: "Mace" },
    dice: [1, 1, 16, 3],
    want: { die: 16, drawn: [20, 20, 20, 6] },
  },
  {
    name: "with disadvantage the rerolled die can be the higher one",
    player: { ...mace, race: "Halfling" },
    scene: { disadvantage: ["fog"] },
    attack: { weapon: "Mace" },
    dice: [1, 14, 18, 3],
    want: { die: 14, success: true },
  },
  {
    name: "the Lucky feat is not a halfling's luck",
    player: { ...mace, race: "Human", features: [{ name: "Lucky", source: "feat" }] },
    attack: { weapon: "Mace" },
    dice: [1],
    want: { die: 1 },
  },
  {
    name: "a third die is for tables that switch it on (not in the SRD)",
    source: "elven-accuracy",
    player: { ...mace, weaponProficiencies: ["Simple Weapons"] },
    rulings: { elvenAccuracy: true },
    scene: { advantage: ["hidden"] },
    attack: { weapon: "Shortbow" },
    dice: [2, 5, 18, 1],
    want: { die: 18, rules: ["elven-accuracy"] },
  },
  {
    name: "and never for strength",
    source: "elven-accuracy",
    player: mace,
    rulings: { elvenAccuracy: true },
    scene: { advantage: ["hidden"] },
    attack: { weapon: "Mace" },
    dice: [2, 5],
    want: { die: 5, rules: ["!elven-accuracy"] },
  },
  {
    name: "a natural 20 on the dropped die of disadvantage is not a critical hit",
    source: "advantage-and-disadvantage",
    player: mace,
    scene: { disadvantage: ["fog"] },
    attack: { weapon: "Mace" },
    dice: [20, 19, 2],
    want: { die: 19, success: true, crit: false },
  },
]);
