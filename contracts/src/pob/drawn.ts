/** What leaves Path of Building for others: what a picture of the passive tree is drawn from, what each node is worth, and a build as a file. */
import * as z from "zod";
import { error, query, subscription } from "../core/index.ts";
import { longWork, not_loaded, tools, unsupported } from "./build.ts";
import { engineMeta, rankedNodes, sessionName } from "./engine.ts";

/** What a build is saved as. */
export const savedBuild = {
  file: z
    .string()
    .max(104)
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N} _()+-]{0,99}(?:\.xml)?$/u,
      "letters, digits, blanks, `_`, `-`, `+` and parentheses, a letter or digit first",
    )
    .describe("Its name in the folder, with or without `.xml`."),
  overwrite: z.boolean().default(false).describe("Replace a build of that name, which is kept beside it as `.bak`."),
};

export const savedFile = z.object({
  file: z.string().describe("The file in the folder."),
  bytes: z.int().describe("Its size."),
  backup: z.string().nullable().describe("What was there before; null where nothing was."),
});

export const notSaved = error({
  code: "failed_precondition",
  when: "there is no folder, a build of that name is there already, or it cannot be written; the message says which",
});

const mostNodes = 10_000;
const mostLinks = 20_000;

const layoutNode = z.object({
  id: z.int().describe("Id of the node."),
  x: z.number().describe("To the right, in the tree's own units."),
  y: z.number().describe("Downwards."),
  name: z.string().describe("Its name."),
  type: z.string().describe("Like Normal, Notable, Keystone, Mastery, Socket or ClassStart."),
  ascendancy: z.string().optional().describe("The ascendancy it belongs to."),
  lines: z.array(z.string()).describe("What it does, at most 20 lines."),
});

const layoutLink = z.object({
  from: z.int().describe("Id of a node."),
  to: z.int().describe("Id of the other, a larger one."),
  center: z
    .object({ x: z.number().describe("To the right."), y: z.number().describe("Downwards.") })
    .optional()
    .describe("Of an arc: what it goes around. Left out of a straight line."),
});

const rankInput = {
  session: sessionName,
  stat: z.string().min(1).max(100).default("CombinedDPS").describe("Stat to gain, by Path of Building's name."),
  maxPoints: z.int().min(1).max(12).default(4).describe("Longest path, in points."),
  limit: z.int().min(1).max(500).default(20).describe("Most nodes to answer."),
  workers: z.int().min(1).max(8).default(2).describe("Processes to use."),
};

const errors = { not_loaded, unsupported };

export const drawnProcedures = {
  luaRankNodes: query({
    tool: tools.luaRankNodes,
    summary: "Which passive nodes within reach gain most of a stat for each point, with the path to them.",
    ...longWork,
    input: z.strictObject(rankInput),
    output: rankedNodes.extend({ meta: engineMeta }),
    errors,
    examples: [{ summary: "Damage within four points", input: { stat: "CombinedDPS", maxPoints: 4 } }],
  }),
  luaFollowRanking: subscription({
    summary: "Ranks passive nodes, and says what each gains as it is worked out.",
    description: "As luaRankNodes. Ends with the ranking; ending it early stops the work.",
    input: z.strictObject(rankInput),
    output: z.object({
      done: z.int().describe("Nodes that were tried so far."),
      total: z.int().describe("Nodes to try."),
      gains: z
        .array(
          z.object({
            node: z.int().describe("Id of the node."),
            perPoint: z.number().describe("What the stat gains for each point of the path to it."),
          }),
        )
        .describe("New since the item before; nodes that gain nothing are left out."),
      ranked: rankedNodes.nullable().describe("The ranking, in the last item; null before."),
    }),
    errors,
  }),
  luaGetLayout: query({
    tool: false,
    summary: "Where all nodes of the loaded build's passive tree are, what they do, and which are linked.",
    description: "From the user's own copy of Path of Building, for drawing it.",
    input: z.strictObject({ session: sessionName }),
    output: z.object({
      nodes: z.array(layoutNode).max(mostNodes).describe("Nodes with a place, ascending by id."),
      links: z.array(layoutLink).max(mostLinks).describe("Each once."),
      meta: engineMeta,
    }),
    errors,
  }),
};
