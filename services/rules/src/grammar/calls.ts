/** The calls that the grammar ends in. The Difficulty Class is always medium: what a player says is no reason to change it. */
import type { Ability, ClassifiedCall, Skill } from "@fairlead/contracts/rules";
import { type Classification, difficultyLabel, rejectReply } from "../classification/classification.ts";

const medium = 15;
const dc = { asked: medium, used: medium, label: difficultyLabel(medium) } as const;

export const skillCall = (skill: Skill): Classification => ({
  question: { procedure: "resolveSkillCheck", intent: { skill, dc: medium } },
  dc,
});

export const abilityCall = (ability: Ability): Classification => ({
  question: { procedure: "resolveAbilityCheck", intent: { ability, dc: medium } },
  dc,
});

export const saveCall = (ability: Ability): Classification => ({
  question: { procedure: "resolveSavingThrow", intent: { ability, dc: medium } },
  dc,
});

type GrappleIntent = Extract<ClassifiedCall, { readonly procedure: "resolveGrapple" }>["intent"];

export const grappleCall = (intent: GrappleIntent): Classification => ({
  question: { procedure: "resolveGrapple", intent },
});

export const initiativeCall: Classification = {
  question: { procedure: "rollInitiative", intent: { surprised: false } },
};

const longestReason = 500;

export const impossibleCall = (reason: string): Classification => ({
  question: { procedure: "markImpossible", intent: { reason: reason.slice(0, longestReason) } },
});

export const noCheckCall = (reason: string): Classification => ({
  question: { procedure: "markNoCheck", intent: { reason: reason.slice(0, longestReason) } },
});

/** Nothing is rolled; the reason asks back. */
export const unsureCall = (what: string, names: readonly string[] = []): Classification => {
  const choices = names.length === 0 ? "" : `: ${[...new Set(names)].slice(0, 8).join(", ")}`;
  return rejectReply("unsure", `it is not clear ${what}${choices}`.slice(0, 400));
};
