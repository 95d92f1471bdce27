/** The procedures that may ask a model: `classify`, and a player's turn under the paths of the specification's client. */
import { mutation } from "../core/index.ts";
import { classifyInput, rulesOutcome } from "./classify.ts";
import { chatErrors, classifyErrors, turnErrors } from "./errors.ts";
import { aria, bo, boClimbs, goblin } from "./examples.ts";
import { playerChat, playerChatInput, playerRoll, playerRollInput } from "./turn.ts";

/** Of every procedure that may ask a model. */
const modelPolicy = { deadlineMs: 30_000, concurrency: 16, queue: 64 } as const;

const ariasTurn = {
  playerInput: "I stab the goblin with my rapier.",
  gameState: { player: aria, story: { activeNPCs: [goblin] } },
};

export const askingProcedures = {
  classify: mutation({
    summary: "Classify what a player says into exactly one tool call, and resolve it at once.",
    description:
      "The model chooses the tool and the names; every number but the difficulty is computed here. Anything but one valid " +
      "call becomes `mark_no_check` with the reason. With ANTHROPIC_API_KEY in the kernel's environment a model is asked, " +
      "which costs tokens; without it a grammar of plain English chooses. Send an idempotency key, and a repeat gets the " +
      "stored outcome instead of another roll.",
    input: classifyInput,
    output: rulesOutcome,
    errors: classifyErrors,
    retry: "keyed",
    hints: { openWorld: true },
    policy: modelPolicy,
    tool: false,
    examples: [
      {
        summary: "Bo climbs a wall; no model is asked, since the outcome was made before",
        input: {
          game: { edition: "5.2", player: bo },
          playerInput: "I climb the wall.",
          precomputed: {
            question: { procedure: "resolveSkillCheck", intent: { skill: "Athletics", dc: 15 } },
            parsed: boClimbs,
          },
        },
      },
    ],
  }),
  playerRoll: mutation({
    summary: "First step of a player's turn: classify what they say, and roll it.",
    description:
      "As `classify`, with the paths and names of the specification's client. A name that nothing has is an answer: it cannot be done.",
    input: playerRollInput,
    output: playerRoll,
    errors: turnErrors,
    retry: "keyed",
    hints: { openWorld: true },
    tool: false,
    http: { path: "/roll" },
    policy: modelPolicy,
    examples: [{ summary: "Aria stabs the goblin", input: { ...ariasTurn, dice: { seed: "a-turn" } } }],
  }),
  playerChat: mutation({
    summary: "Second step of a player's turn: the outcome that is to be narrated, proved where it was computed before.",
    description:
      "With `precomputedRules` no model is asked. The narration is the caller's: this answers what a narrator has to know.",
    input: playerChatInput,
    output: playerChat,
    errors: chatErrors,
    retry: "keyed",
    hints: { openWorld: true },
    tool: false,
    http: { path: "/chat" },
    policy: modelPolicy,
    examples: [
      {
        summary: "An outcome of a client that keeps no question: it is passed on",
        input: { ...ariasTurn, precomputedRules: { raw: "RESULT: HIT", roll: 17 } },
      },
    ],
  }),
};
