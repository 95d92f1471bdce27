/** Procedures of the loop contract that put it into a coding agent's client. Not on MCP: they are for people. */
import * as z from "zod";
import { mutation } from "../core/index.ts";
import * as errors from "./error.ts";
import { found, project } from "./session.ts";

const client = z.enum(["claude-code", "codex", "cursor"]).describe("The client.");

const files = z
  .array(
    z.object({
      path: z.string().describe("Relative to the project."),
      action: z.enum(["created", "changed", "restored", "removed", "left"]).describe("What was done with it."),
    }),
  )
  .describe("The files that were touched; `left` are those that somebody has changed since.");

const input = z.object({ project, client });

export const installProcedures = {
  installClient: mutation({
    summary: "Installs the loop in a coding agent's files of the project.",
    description:
      "An entry for the MCP server, hooks that hold edits to the ticket's scope and ask what is next, commands, a skill, a status line: what the client has. Hooks of the user's stay.",
    retry: "idempotent",
    input,
    output: z.object({
      files,
      notes: z.array(z.string()).describe("What a person has to know or do."),
    }),
    errors: { ...found, not_installable: errors.notInstallable },
    examples: [{ summary: "Claude Code", input: { client: "claude-code" } }],
    tool: false,
  }),
  uninstallClient: mutation({
    summary: "Takes the loop out of a coding agent's files of the project.",
    description: "A file that is as it was installed gets every byte back; of another only the loop's entries go.",
    retry: "idempotent",
    input,
    output: z.object({ files }),
    errors: { ...found, not_installable: errors.notInstallable },
    examples: [{ summary: "Claude Code", input: { client: "claude-code" } }],
    tool: false,
  }),
};
