/**
 * The project's own tools, as files of `.promptwheel/tools` describe them to an agent. What such a file says is text for prompts: it
 * runs nothing here, and it approves nothing with the client; its `approve_patterns` and `trust_levels` have no effect.
 */

import { readdirSync } from "node:fs";
import * as z from "zod";
import { type Category, categories } from "../value/category.ts";
import { plainPath, readInside } from "./safe-file.ts";

const toolPhases = ["SCOUT", "PLAN", "EXECUTE", "QA", "PR"] as const;
export type ToolPhase = (typeof toolPhases)[number];

const shape = z.strictObject({
  name: z.string().trim().min(1).max(100),
  description: z.string().max(2_000).default(""),
  phase_access: z.array(z.enum(toolPhases)).min(1),
  category_access: z.array(z.enum(categories)).nullable().default(null),
  constraint_note: z.string().max(2_000).default(""),
  approve_patterns: z.array(z.string()).default([]),
  trust_levels: z.array(z.enum(["safe", "default", "full"])).default([]),
});

export type CustomTool = Readonly<z.output<typeof shape>>;

interface CustomTools {
  readonly tools: readonly CustomTool[];
  /** Files that do not describe a tool, with the reason. */
  readonly unreadable: readonly string[];
}

const max = { files: 50, bytes: 65_536 } as const;

/** Names of the files; `home` is the real path of `.promptwheel`. */
export const listToolFiles = (home: string): readonly string[] => {
  try {
    return readdirSync(plainPath(home, "tools"))
      .filter((file) => file.endsWith(".json"))
      .toSorted()
      .slice(0, max.files);
  } catch {
    return [];
  }
};

/** Reads all of them again at each call. */
export const readCustomTools = (home: string): CustomTools => {
  const read = listToolFiles(home).map((file) => ({ file, ...readToolFile(home, file) }));
  return {
    tools: read.flatMap(({ tool }) => tool ?? []),
    unreadable: read.flatMap(({ file, why }) => (why === undefined ? [] : [`${file}: ${why}`])),
  };
};

const readToolFile = (home: string, file: string): { readonly tool?: CustomTool; readonly why?: string } => {
  const found = readInside(home, `tools/${file}`, max.bytes);
  if (found.kind !== "text") return { why: found.kind === "refused" ? found.why : "it is gone" };
  try {
    const verdict = shape.safeParse(JSON.parse(found.text));
    if (verdict.success) return { tool: verdict.data };
    const [issue] = verdict.error.issues;
    return { why: `${issue?.path.join(".") || "the whole"}: ${issue?.message ?? "does not fit"}` };
  } catch {
    return { why: "it is not JSON" };
  }
};

/** One line a tool, for a prompt of that phase; `category` is the ticket's, if there is one. */
export const formatTools = (
  tools: readonly CustomTool[],
  phase: ToolPhase,
  category: Category | undefined,
): readonly string[] =>
  tools
    .filter(
      ({ phase_access, category_access }) =>
        phase_access.includes(phase) &&
        (category === undefined || category_access === null || category_access.includes(category)),
    )
    .map(({ name, description, constraint_note }) =>
      [name, description, constraint_note]
        .map((part) => part.replaceAll(/\s+/g, " ").trim())
        .filter((part) => part !== "")
        .join(": "),
    );
