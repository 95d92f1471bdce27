/** Who is seen: the light of the scene, invisibility and special senses, by hand. */
import { type Case, runCases } from "../testing/case.ts";

const inTheDark = { light: "dark" } as const;
const advantage = { rules: ["unseen"] } as const;

const rows: readonly Case[] = [
  {
    name: "two who see nothing in the dark: both ways cancel",
    scene: inTheDark,
    dice: [15, 3],
    want: { die: 15, rules: ["unseen"], drawn: [20, 4] },
  },
  {
    name: "who has darkvision strikes one who has none with advantage",
    player: { senses: { darkvision: 60 } },
    scene: inTheDark,
    dice: [4, 15, 3],
    want: { die: 15, drawn: [20, 20, 4], ...advantage },
  },
  {
    name: "darkvision ends with its range",
    player: { senses: { darkvision: 60 }, inventory: ["Light Crossbow"] },
    attack: { weapon: "Light Crossbow" },
    npc: { distance: 65 },
    scene: inTheDark,
    dice: [15, 3],
    want: { die: 15, drawn: [20, 8] },
  },
  {
    name: "who has none strikes one with darkvision with disadvantage",
    npc: { senses: { darkvision: 60 } },
    scene: inTheDark,
    dice: [15, 4],
    want: { die: 4, success: false, ...advantage },
  },
  {
    name: "dim light hides no creature",
    scene: { light: "dim" },
    dice: [15, 3],
    want: { drawn: [20, 4], rules: ["!unseen"] },
  },
  {
    name: "light that is not stated hides no creature",
    dice: [15, 3],
    want: { drawn: [20, 4], rules: ["!unseen"] },
  },
  {
    name: "darkvision does not show the invisible",
    player: { senses: { darkvision: 60 } },
    npc: { conditions: ["Invisible"] },
    dice: [15, 4],
    want: { die: 4, success: false, ...advantage },
  },
  {
    name: "truesight shows the invisible",
    player: { senses: { truesight: 60 } },
    npc: { conditions: ["Invisible"] },
    dice: [15, 3],
    want: { drawn: [20, 4], rules: ["!unseen"] },
  },
  {
    name: "an invisible attacker before one with blindsight",
    player: { conditions: ["Invisible"] },
    npc: { senses: { blindsight: 10 }, distance: 5 },
    dice: [15, 3],
    want: { drawn: [20, 4], rules: ["!unseen"] },
  },
];

/** Everybody has a club. */
const armed = rows.map((row) => ({ ...row, player: { inventory: ["Club"], ...row.player } }));

runCases("senses", "unseen", armed);
