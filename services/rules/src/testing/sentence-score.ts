/** For tests only: how many sentences of a family are classified right, and how many lead to a wrong roll. */
import { type ClassifiedCall, game } from "@fairlead/contracts/rules";
import type { Classification } from "../classification/classification.ts";
import { chooseOffline } from "../grammar/choose-offline.ts";
import type { Sentence, Who } from "./sentences.ts";

export const sentenceGames = {
  Aria: game.parse({
    player: {
      name: "Aria",
      characterClass: "Rogue",
      level: 5,
      features: [{ name: "Sneak Attack" }],
      inventory: ["Rapier", "Shortbow", "Dagger"],
    },
    npcs: [{ name: "Goblin", ac: 15, currentHp: 7 }],
  }),
  Mira: game.parse({
    player: {
      name: "Mira",
      characterClass: "Wizard",
      level: 5,
      inventory: ["Quarterstaff"],
      cantrips: ["Fire Bolt", "Light"],
      knownSpells: ["Fireball", "Detect Magic"],
      spellcastingAbility: "intelligence",
    },
    npcs: [
      { name: "Orc", ac: 13, currentHp: 15 },
      { name: "Guard Captain", ac: 16, currentHp: 30 },
    ],
  }),
} as const satisfies Readonly<Record<Who, unknown>>;

const callText = (question: ClassifiedCall): string => {
  switch (question.procedure) {
    case "resolveAttack":
      return `attack ${question.intent.weapon} ${question.intent.target}`;
    case "resolveSkillCheck":
      return `skill ${question.intent.skill}`;
    case "resolveAbilityCheck":
      return `ability ${question.intent.ability}`;
    case "resolveSavingThrow":
      return `save ${question.intent.ability}`;
    case "resolveGrapple":
      return `${question.intent.attempt} ${question.intent.target}`;
    case "rollInitiative":
      return "initiative";
    case "markImpossible":
      return "impossible";
    case "markNoCheck":
      return "none";
  }
};

const answerText = ({ question, rejected }: Classification): string =>
  rejected === undefined ? callText(question) : "unsure";

export interface Score {
  readonly right: number;
  /** Ended in a roll, or in a plain no, that is not the right one. */
  readonly wrong: number;
  readonly of: number;
  /** Those that are not right: the sentence, the right call and the one that was made. */
  readonly missed: readonly string[];
}

export const scoreSentences = (sentences: readonly Sentence[]): Score => {
  let right = 0;
  let wrong = 0;
  const missed: string[] = [];
  for (const [who, text, wanted] of sentences) {
    const answer = answerText(chooseOffline(sentenceGames[who], text));
    if (wanted.split("|").includes(answer)) {
      right += 1;
      continue;
    }
    if (answer !== "unsure" && answer !== "none") wrong += 1;
    missed.push(`${who}: ${text} -> ${answer}, not ${wanted}`);
  }
  return { right, wrong, of: sentences.length, missed };
};
