/**
 * The parts of `docs/reference.md` that are written from the code: tools and parameters, lines of the log, formulas, fields of state.json.
 * Each is between two comments that name it; the rest of the document is written by hand and kept.
 */
import { loop } from "@fairlead/contracts/loop";
import * as z from "zod";
import { listBuiltinFormulas } from "../formula/catalog.ts";
import { clientEventTypes } from "../state/event.ts";
import { logLines } from "./log-lines.ts";
import { stateFields } from "./state-fields.ts";

/** The document with its written parts brought up to date. Throws where a part has no place. */
export const fillReference = (document: string): string =>
  Object.entries(parts).reduce((text, [name, write]) => {
    const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`the reference has no place for ${name}`);
    return `${text.slice(0, from + begin.length)}\n\n${write()}\n\n${text.slice(to)}`;
  }, document);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(formatCell).join(" | ")} |`).join("\n");

const formatCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const fieldShape = z.object({
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })).default({}),
  required: z.array(z.string()).default([]),
});

/** A procedure as its tool: what it is for, what it takes, the names of what it answers. */
const describeTool = ({ tool, summary, description, input, output }: ToolProcedure): string => {
  const taken = fieldShape.parse(z.toJSONSchema(input, { io: "input" }));
  const given = fieldShape.parse(z.toJSONSchema(output, { io: "output", unrepresentable: "any" }));
  const rows = Object.entries(taken.properties).map(([name, field]) => [
    `\`${name}\``,
    taken.required.includes(name) ? "yes" : "",
    field.description ?? "",
  ]);
  return [
    `### \`${typeof tool === "object" ? tool.name : tool}\``,
    [summary, description].filter((text) => text !== undefined).join(" "),
    table(["Parameter", "Required", "Meaning"], rows),
    `Answers ${Object.keys(given.properties)
      .map((name) => `\`${name}\``)
      .join(", ")}.`,
  ].join("\n\n");
};

type Procedures = typeof loop.procedures;
type ToolProcedure = Pick<Procedures[keyof Procedures], "tool" | "summary" | "input" | "output"> & {
  readonly description?: string;
};

const parts: Readonly<Record<string, () => string>> = {
  tools: () =>
    Object.values<ToolProcedure>(loop.procedures)
      .filter(({ tool }) => tool !== false)
      .map(describeTool)
      .join("\n\n"),
  log: () =>
    table(
      ["Line", "From", "When, and what it says"],
      Object.entries(logLines).map(([type, { when }]) => [
        `\`${type}\``,
        clientEventTypes.some((known) => known === type) ? "client" : "server",
        when,
      ]),
    ),
  formulas: () =>
    table(
      ["Formula", "Looks for", "Categories", "Confidence", "Risk", "PRs"],
      listBuiltinFormulas().map(({ name, description, categories, min_confidence, risk_tolerance, max_prs }) => [
        `\`${name}\``,
        description,
        categories.join(", "),
        String(min_confidence ?? ""),
        risk_tolerance,
        String(max_prs ?? ""),
      ]),
    ),
  state: () =>
    table(
      ["Field", "Meaning"],
      Object.entries(stateFields).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
};
