/** Tasks for the rules of D&D: dice, checks and fights. Dice are the caller's where the answer depends on them. */
import { type EvalTask, field, single } from "../task.ts";

const aria = {
  name: "Aria",
  characterClass: "Rogue",
  level: 5,
  maxHP: 33,
  stats: { strength: 10, dexterity: 18, constitution: 12 },
  savingThrowProficiencies: ["dexterity"],
  skillProficiencies: ["Stealth"],
  weaponProficiencies: ["Simple Weapons"],
  inventory: ["Shortbow", "Dagger"],
};
const goblin = { id: "goblin-1", name: "Goblin", ac: 15, currentHp: 7, maxHp: 7 };
const alone = { player: aria };
const facing = { player: aria, npcs: [goblin] };
const sheet = `Her sheet: ${JSON.stringify(aria)}`;
const rolls = (...values: readonly number[]) => ({ values });

const start = { tool: "start_encounter", input: { party: [aria], foes: ["Goblin", "Goblin"], dice: { seed: "a" } } };
const begin = `Aria is ambushed by two goblins of the SRD; begin the fight (dice from the seed "a"). ${sheet}.`;
const seekStart = "goblins ambush the party, begin a fight with initiative";

/** A fight that is begun, and one thing that is done in it. */
const fight = (
  id: string,
  {
    next,
    tool,
    seek,
    answer,
  }: { readonly next: string; readonly tool: string; readonly seek: string; readonly answer: RegExp },
): EvalTask => ({
  group: "rules",
  id,
  ask: `${begin} ${next}`,
  expect: [{ tool: "start_encounter" }, { tool, where: { encounter: /fight-/ } }],
  answer: [answer],
  script: [
    { ...start, seek: seekStart },
    {
      tool,
      seek,
      input: (answers) => ({
        encounter: field(answers, 0, "encounter"),
        ...(tool === "end_turn" && { dice: { seed: "b" } }),
      }),
    },
  ],
});

export const rulesTasks: readonly EvalTask[] = [
  single("rules", "two-dice", {
    ask: "Throw two six-sided dice and add three; the dice on the table show 4 and 5. What is the sum?",
    call: { tool: "roll_dice", input: { notation: "2d6+3", dice: rolls(4, 5) } },
    where: { notation: /2d6\s*\+\s*3/ },
    answer: [/\b12\b/],
  }),
  single("rules", "best-three", {
    ask: "Throw four six-sided dice and leave out the lowest; they show 1, 6, 5 and 4. What is it?",
    call: { tool: "roll_dice", input: { notation: "4d6kh3", dice: rolls(1, 6, 5, 4) } },
    where: { notation: /4d6/ },
    answer: [/\b15\b/],
  }),
  single("rules", "shoot", {
    ask: `Aria shoots the goblin (armour class 15, 7 hit points) with her bow; the d20 shows 15 and the damage die 4. How much damage is it? ${sheet}`,
    call: {
      tool: "resolve_attack",
      input: { weapon: "Shortbow", target: "Goblin", game: facing, dice: rolls(15, 4) },
      seek: "Aria shoots the goblin with her bow, attack",
    },
    where: { weapon: /Shortbow/, target: /Goblin/i },
    forbid: ["start_encounter"],
    answer: [/\b8\b/],
  }),
  single("rules", "miss", {
    ask: `Aria throws herself at the goblin (armour class 15, 7 hit points) with her dagger; the d20 shows 2. Does she hit? ${sheet}`,
    call: {
      tool: "resolve_attack",
      input: { weapon: "Dagger", target: "Goblin", game: facing, dice: rolls(2, 1) },
      seek: "Aria attacks the goblin with her dagger",
    },
    where: { weapon: /Dagger/ },
    answer: [/miss|not hit|fail/i],
  }),
  single("rules", "sneak", {
    ask: `Aria sneaks past the guards, which is of medium difficulty (15), and the d20 shows 9. Is she heard? ${sheet}`,
    call: {
      tool: "resolve_skill_check",
      input: { skill: "Stealth", dc: 15, game: alone, dice: rolls(9) },
      seek: "Aria sneaks past the guards with her stealth skill",
    },
    where: { skill: /Stealth/i, dc: /^15$/ },
    answer: [/\b16\b/, /succe/i],
  }),
  single("rules", "lift", {
    ask: `Has Aria the strength to lift the gate, without any skill? The difficulty is 12 and the d20 shows 11. ${sheet}`,
    call: {
      tool: "resolve_ability_check",
      input: { ability: "strength", dc: 12, game: alone, dice: rolls(11) },
      seek: "does Aria have the strength to lift the gate, without any skill",
    },
    where: { ability: /strength/i },
    answer: [/\b11\b/, /fail/i],
  }),
  single("rules", "fireball", {
    ask: `A fireball explodes over Aria; she jumps aside by her dexterity against 13, and the d20 shows 10. Does she make it? ${sheet}`,
    call: {
      tool: "resolve_saving_throw",
      input: { ability: "dexterity", dc: 13, source: "Fireball", game: alone, dice: rolls(10) },
      seek: "the fireball explodes, does she save with dexterity",
    },
    where: { ability: /dexterity/i, dc: /^13$/ },
    answer: [/\b17\b/, /succe/i],
  }),
  single("rules", "poison", {
    ask: `Aria drank poison: can her constitution bear it, at 15? The d20 shows 8. ${sheet}`,
    call: {
      tool: "resolve_saving_throw",
      input: { ability: "constitution", dc: 15, source: "poison", game: alone, dice: rolls(8) },
      seek: "does she save with constitution against poison",
    },
    where: { ability: /constitution/i },
    answer: [/\b9\b/, /fail/i],
  }),
  single("rules", "chance-to-hit", {
    ask: `How likely is it that Aria hits a goblin of armour class 15 (7 hit points) with her bow? Nothing is thrown yet. ${sheet}`,
    call: {
      tool: "rules_odds",
      input: { game: facing, question: { kind: "attack", intent: { weapon: "Shortbow", target: "Goblin" } } },
      seek: "how likely is it that the attack hits armour class 15",
    },
    where: { question: /attack/ },
    forbid: ["resolve_attack"],
    answer: [/13\/20|0\.65|65/],
  }),
  single("rules", "chance-to-save", {
    ask: `What are Aria's chances to jump aside of a blast, by dexterity against 14? Nothing is thrown yet. ${sheet}`,
    call: {
      tool: "rules_odds",
      input: { game: alone, question: { kind: "save", intent: { ability: "dexterity", dc: 14 } } },
      seek: "how likely is it that a save with dexterity succeeds",
    },
    where: { question: /save/ },
    forbid: ["resolve_saving_throw"],
    answer: [/7\/10|0\.7|70/],
  }),
  single("rules", "swallow-the-moon", {
    ask: "The wizard tries to swallow the moon. That cannot be done whatever is rolled: note that, and why.",
    call: { tool: "mark_impossible", input: { reason: "nobody can swallow the moon" } },
    where: { reason: /moon/ },
    forbid: ["resolve_ability_check", "resolve_skill_check"],
    answer: [/moon/, /impossible|cannot/i],
  }),
  single("rules", "open-door", {
    ask: "Aria opens a door that is not locked. Note that nothing has to be rolled for that, and why.",
    call: { tool: "mark_no_check", input: { reason: "the door is not locked" } },
    where: { reason: /door|lock/i },
    forbid: ["resolve_ability_check", "resolve_skill_check"],
    answer: [/lock|door/i],
  }),
  {
    group: "rules",
    id: "ambush",
    ask: `${begin} Whose turn is it?`,
    expect: [{ tool: "start_encounter", where: { party: /Aria/, foes: /Goblin/i } }],
    answer: [/goblin-1|goblin/i],
    script: [{ ...start, seek: seekStart }],
  },
  fight("how-wounded", {
    next: "How many hit points has each of them?",
    tool: "encounter_state",
    seek: "who is next in the fight and how wounded is each",
    answer: /33/,
  }),
  fight("next-in-line", {
    next: "The first goblin does nothing; go on to whoever comes after it.",
    tool: "end_turn",
    seek: "my hero is done for this round, next combatant please",
    answer: /goblin-2/,
  }),
  fight("all-over", {
    next: "Everybody makes peace: it is over, and need not be tracked any longer.",
    tool: "end_encounter",
    seek: "the battle is over, stop tracking it",
    answer: /over|true/i,
  }),
  {
    group: "rules",
    id: "take-back",
    ask: `${begin} The first goblin does nothing; go on to whoever comes after it. No, that was a mistake: take it back.`,
    expect: [
      { tool: "start_encounter" },
      { tool: "end_turn", where: { encounter: /fight-/ } },
      { tool: "undo_action", where: { encounter: /fight-/ } },
    ],
    answer: [/goblin-1/],
    script: [
      { ...start, seek: seekStart },
      {
        tool: "end_turn",
        seek: "my hero is done for this round, next combatant please",
        input: (answers) => ({ encounter: field(answers, 0, "encounter"), dice: { seed: "b" } }),
      },
      {
        tool: "undo_action",
        seek: "that turn was a mistake, take it back in the fight",
        input: (answers) => ({ encounter: field(answers, 0, "encounter") }),
      },
    ],
  },
];
