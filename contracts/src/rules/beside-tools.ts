/**
 * What is asked beside the tools, since a model's list of them has no room: rests after a fight, and what a table in a browser shows: the monsters there are, creatures as a
 * game has them, the caller's fights, and the odds of an action in one. A file for both: each start of a server reads the files of contracts.
 *
 * Not here: fights (`encounter.ts`) and odds by value (`odds.ts`); when a table may rest: the service knows no hours, and no days between two long rests.
 */
import * as z from "zod";
import { error, mutation, query, type Resource } from "../core/index.ts";
import { diceInput } from "./dice.ts";
import { encounter, startErrors, startInput, version } from "./encounter.ts";
import {
  attackActionErrors,
  diceErrors,
  encounter_full,
  encounter_not_over,
  encounter_outdated,
  houseRuleErrors,
  oddsErrors,
  stale_version,
  unknown_encounter,
  unknown_monster,
  usesErrors,
} from "./errors.ts";
import { edition, scene } from "./game.ts";
import { odds, question } from "./odds.ts";
import { fighter } from "./player.ts";
import { encounterView } from "./result.ts";

const restInput = z
  .strictObject({
    encounter,
    version,
    length: z.enum(["short", "long"]).describe("One hour, or eight"),
    hitDice: z
      .record(z.string().min(1).max(80), z.int().min(0).max(20))
      .default({})
      .describe("Hit dice to spend in a short rest, by id of the creature"),
    dice: diceInput.optional(),
  })
  .describe("A rest");

export const restProcedures = {
  rest: mutation({
    tool: false,
    summary: "Let the party rest after an ended fight.",
    description:
      "`events` say what each gets back, and which conditions are left. A short rest rolls the dice of `hitDice`, the largest first; a long one gives back hit points, slots, hit dice and what was used, and takes one level of exhaustion. The next fight goes on with `after` of `startEncounter`.",
    input: restInput,
    output: encounterView,
    errors: {
      ...diceErrors,
      unknown_encounter,
      encounter_outdated,
      stale_version,
      encounter_full,
      encounter_not_over,
      party_is_dying: error({
        code: "failed_precondition",
        when: "a character at 0 hit points is not stable: an hour is too long",
        data: z.object({ creatures: z.array(z.string()).describe("Their ids") }),
        hint: "take the end back with undo_action, and heal or stabilize them first",
      }),
      no_hit_dice: error({
        code: "invalid_argument",
        when: "`hitDice` has an id that is not a living creature's of the party, more hit dice than are left, or comes with a long rest",
        data: z.object({
          creature: z.string().describe("As it was named"),
          left: z.int().describe("Hit dice that it has left"),
        }),
        hint: "take ids of creatures of the party and at most their `hitDice`",
      }),
    },
    retry: "keyed",
  }),
};

/** Decoded input of `rest`. */
export type RestInput = z.output<typeof restInput>;

const found = z.strictObject({
  name: z.string().describe("Its name, as a fight takes it"),
  challenge: z.string().describe("Challenge rating, like `1/4` or `10`"),
  creatureType: z.string().describe("Like `humanoid`"),
  size: z.string().describe("Like `small`"),
  ac: z.int().describe("Armor Class"),
  hp: z.int().describe("Average hit points"),
  attacks: z.array(z.string()).describe("Names of its attacks"),
});

const byValue = (what: string) => z.looseObject({}).describe(what);

const sheetByValue = fighter.meta({ id: "SheetByValue", description: "The sheet of a character" });

const creatureByValue = z.strictObject({
  name: z.string().describe("Its full name"),
  ac: z.int().describe("Armor Class"),
  maxHp: z.int().describe("Hit point maximum"),
  npc: byValue("For `game.npcs`"),
  player: byValue("For `game.player`"),
  attacks: z.array(z.string()).describe("What it can attack with, as a call names it"),
  leftOut: z
    .array(z.string())
    .describe("What only a fight that is kept follows, like a resistance to attacks that are not magical"),
});

const kept = z.strictObject({
  encounter: z.string().describe("Its handle"),
  edition: z.enum(["5.1", "5.2"]).describe("Rule set"),
  version: z.int().describe("The newest one"),
  latest: z.enum(["start", "act", "end_turn", "undo", "end", "rest"]).describe("What was called last"),
  party: z.array(z.string()).describe("Names of those it began with, at most 20"),
  foes: z.array(z.string()).describe("Names of their enemies then, at most 50"),
});

const estimate = (what: string) =>
  z
    .strictObject({
      value: z.string().describe("What the samples say, as a decimal number"),
      low: z.string().describe("Lower bound of its 95 % confidence interval"),
      high: z.string().describe("Upper bound"),
    })
    .describe(what);

const simulationInput = z
  .strictObject({
    ...startInput.pick({ edition: true, rulings: true }).shape,
    party: startInput.shape.party.max(10),
    foes: z.array(startInput.shape.foes.unwrap().element).min(1).max(20).describe("Their enemies"),
    samples: z.int().min(10).max(2_000).default(200).describe("Fights to play"),
    rounds: z.int().min(1).max(30).default(20).describe("A fight that is not over then is undecided"),
    uses: z
      .record(z.string().min(1).max(80), z.string().min(1).max(80))
      .refine((uses) => Object.keys(uses).length <= 30, "at most 30 creatures")
      .default({})
      .describe(
        'Weapon or spell by name or id of a creature: { "Mia": "Fire Bolt" }; left out, the best against each target by exact odds',
      ),
    seed: z.string().min(1).max(200).optional().describe("The same seed plays the same fights"),
  })
  .describe("Fights to simulate");

const simulation = z
  .strictObject({
    edition: z.enum(["5.1", "5.2"]).describe("Rule set"),
    seed: z.string().describe("As sent, or made"),
    samples: z.int().describe("Fights played"),
    party: estimate("Share of fights that the party won"),
    foes: estimate("Share that their enemies won"),
    undecided: estimate("Share that was not over, or left none standing"),
    rounds: estimate("Rounds of a fight, in the mean"),
    creatures: z
      .array(
        z.strictObject({
          id: z.string().describe("Its id in the fight"),
          side: z.enum(["party", "foes"]).describe("Its side"),
          standing: estimate("Share of fights at whose end it has hit points"),
          dead: estimate("Share at whose end it is dead"),
          hitPoints: estimate("Hit points at the end, in the mean"),
        }),
      )
      .describe("The party first"),
    assumed: z.array(z.string()).describe("How the creatures fight"),
  })
  .describe("What the simulated fights say");

const mostListed = 50;

export const referenceTopics = ["rules", "conditions", "skills", "weapons", "spells", "monsters"] as const;
const referenceTopic = z
  .enum(referenceTopics)
  .describe("`rules`: each rule that is applied, with its section; `spells`: those with an attack roll");

export const tableProcedures = {
  monsters: query({
    placement: "stateless",
    tool: false,
    summary: "Finds monsters of the SRD by words of their name or type.",
    input: z
      .strictObject({
        edition,
        text: z.string().max(80).default("").describe("Words; all must be in the name or the type. Empty: all"),
        limit: z.int().min(1).max(mostListed).default(20).describe("Most to answer"),
      })
      .describe("What is looked for"),
    output: z
      .strictObject({
        found: z.array(found).describe("Names that begin with the text first, then by name"),
        total: z.int().describe("How many there are in all"),
      })
      .describe("Monsters"),
    examples: [{ summary: "Goblins", input: { text: "goblin" } }],
  }),
  creatures: query({
    placement: "stateless",
    tool: false,
    summary:
      "Creatures as a game has them, each as a target and as the one who acts: sheets, or monsters of the SRD by name.",
    input: z
      .strictObject({
        edition,
        of: z
          .array(
            z.union([
              z.string().min(1).max(80).describe("A monster's name, or a unique beginning of it"),
              sheetByValue,
            ]),
          )
          .min(1)
          .max(20)
          .describe("Which"),
      })
      .describe("Which creatures"),
    output: z
      .strictObject({ creatures: z.array(creatureByValue).describe("In the order of `of`") })
      .describe("Creatures by value"),
    errors: { unknown_monster },
    examples: [{ summary: "A goblin", input: { of: ["Goblin"] } }],
  }),
  simulateEncounter: query({
    placement: "stateless",
    policy: { deadlineMs: 120_000, concurrency: 4 },
    tool: false,
    summary: "Plays a whole fight many times and answers who wins how often, with 95 % confidence bounds.",
    description:
      "Sampled, not solved: the same input and seed give the same bytes. `assumed` says how the creatures fight. Bounds of shares are exact (Clopper-Pearson); those of means are Student's t, which is near 95 % where the values are not normal, and has no width where all samples are the same.",
    input: simulationInput,
    output: simulation,
    errors: { ...startErrors, ...houseRuleErrors, ...usesErrors },
    examples: [
      {
        summary: "Two acolytes against a goblin",
        input: { party: ["Acolyte", "Acolyte"], foes: ["Goblin"], samples: 20, seed: "acolytes" },
      },
    ],
  }),
  reference: query({
    placement: "stateless",
    tool: false,
    summary: "Shows a table of the SRD as the rules of this service have it: names and numbers, no descriptions.",
    input: z.strictObject({ edition, topic: referenceTopic }).describe("Which table"),
    output: z
      .strictObject({ markdown: z.string().describe("A title, the table, and where it is from") })
      .describe("A table"),
    examples: [{ summary: "Weapons", input: { topic: "weapons" } }],
  }),
  encounters: query({
    tool: false,
    summary: "Lists the caller's fights, the newest first.",
    input: z
      .strictObject({ limit: z.int().min(1).max(mostListed).default(20).describe("Most to answer") })
      .describe("How many"),
    output: z.strictObject({ encounters: z.array(kept).describe("Fights") }).describe("Fights that are kept"),
  }),
  encounterOdds: query({
    tool: false,
    summary: "Exact odds of what somebody might do in a fight, as it is now; nothing is rolled.",
    input: z
      .strictObject({
        encounter,
        actor: z.string().min(1).max(80).optional().describe("Who; else whose turn it is"),
        scene: scene.optional(),
        question,
      })
      .describe("What is asked of a fight"),
    output: odds,
    errors: {
      ...oddsErrors,
      ...houseRuleErrors,
      unknown_encounter,
      encounter_outdated,
      unknown_actor: attackActionErrors.unknown_actor,
    },
  }),
};

const editionField = { about: "SRD 5.1 (2014) or 5.2 (2024)", choices: ["5.1", "5.2"] } as const;
const keptFight = { about: "Its handle", choices: { call: "encounters", path: "encounters.encounter" } } as const;

/** What clients may read by an address: the tables of both editions, monsters, and the caller's fights. */
export const resources: Readonly<Record<string, Resource>> = {
  reference: {
    title: "SRD table",
    summary: "A table of the D&D rules: names and numbers of the SRD.",
    path: "reference/{edition}/{topic}",
    read: "reference",
    text: "markdown",
    type: "text/markdown",
    fields: { edition: editionField, topic: { about: "Which table", choices: referenceTopics } },
  },
  monster: {
    title: "Monster",
    summary: "A D&D monster of the SRD, by value: as a target, and as the one who acts.",
    path: "monsters/{edition}/{name}",
    read: "creatures",
    input: { edition: "{edition}", of: ["{name}"] },
    fields: {
      edition: editionField,
      name: {
        about: "Its name",
        choices: {
          call: "monsters",
          input: { edition: "{edition}", text: "{}", limit: mostListed },
          path: "found.name",
        },
      },
    },
  },
  encounters: {
    title: "Fights",
    summary: "The D&D fights that are kept, the newest first.",
    path: "encounters",
    read: "encounters",
    changes: { everyMs: 1_000 },
  },
  encounter: {
    title: "Fight",
    summary: "A D&D fight: turn, hit points, conditions.",
    path: "encounters/{encounter}",
    read: "encounterState",
    fields: { encounter: keptFight },
    changes: { everyMs: 1_000 },
  },
  encounterLog: {
    title: "Log of a fight",
    summary: "Every call of a D&D fight with its dice.",
    path: "encounters/{encounter}/log",
    read: "encounterLog",
    fields: { encounter: keptFight },
    changes: { everyMs: 1_000 },
  },
};

/** Decoded input of `monsters`. */
export type MonsterSearch = z.output<typeof tableProcedures.monsters.input>;
/** Answer of `monsters`. */
export type MonsterList = z.input<typeof tableProcedures.monsters.output>;
/** Decoded input of `creatures`. */
export type CreatureSources = z.output<typeof tableProcedures.creatures.input>;
/** Decoded input of `simulateEncounter`. */
export type SimulationInput = z.output<typeof simulationInput>;
/** Answer of `simulateEncounter`. */
export type Simulation = z.input<typeof simulation>;
/** A fight as a list shows it. */
export type KeptEncounter = z.input<typeof kept>;
/** Decoded input of `encounterOdds`. */
export type EncounterQuestion = z.output<typeof tableProcedures.encounterOdds.input>;
/** Decoded input of `reference`. */
export type ReferenceTable = z.output<typeof tableProcedures.reference.input>;
