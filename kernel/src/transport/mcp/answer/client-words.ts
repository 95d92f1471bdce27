/**
 * A text in the words of an MCP client, which has tools where a program has procedures and a terminal has commands. Pure; loaded for the first error.
 *
 * Not here: which tools there are (`../endpoint.ts`), and how an error is laid out (`../refused-result.ts`).
 */

/** What a client has in place of procedures and commands. */
export interface ClientWords {
  /** The tool of a procedure, by its full name. */
  readonly tool: (procedure: string) => string | undefined;
  /** The procedure that a verb of the command line calls, and nothing else than that: `conn ls` calls `connections.list`. */
  readonly called: (verb: string) => string | undefined;
}

/**
 * Procedures and commands that the client has a tool for become that tool. What is left of commands is for a person at a terminal, and a last line says so; the
 * names in them stay as they are typed.
 */
export const inClientWords = (text: string, words: ClientWords): string => {
  let isForPerson = false;
  const shown = text.replace(command, (whole, line: string | undefined) => {
    if (line === undefined) return words.tool(whole) ?? whole;
    if (line.startsWith("describe ")) return "the input schema of the tool";
    const tool = commandTool(line, words);
    if (tool !== undefined) return `\`${tool}\``;
    isForPerson = true;
    return whole;
  });
  return isForPerson ? `${shown}\n${forPerson}` : shown;
};

const forPerson =
  "Commands of `fairlead` are for a person at this server's machine: pass them on, unless you have its terminal";

/** A command, or the full name of a procedure: it begins where no name goes on. Both have an end: texts of errors are as long as their makers like. */
const command = /`fairlead ([^`]{1,200})`|(?<![\w-])[a-z][a-z0-9-]{0,63}\.[A-Za-z]\w{0,63}/g;

/** Words of the longest verb. */
const longestVerb = 3;

const commandTool = (line: string, { tool, called }: ClientWords): string | undefined => {
  const parts = line.split(" ");
  // Flags say more than a tool's name does.
  if (parts.some((part) => part.startsWith("-"))) return undefined;
  const [first, procedure] = parts;
  if (first === "call") return procedure === undefined ? undefined : tool(procedure);
  for (let length = Math.min(longestVerb, parts.length); length > 0; length -= 1) {
    const found = called(parts.slice(0, length).join(" "));
    if (found !== undefined) return tool(found);
  }
  return undefined;
};
