/** What an agent that only answers is given around a prompt: where it works, how it answers, and why its last answer could not be taken. */
import type { ReportType } from "./agent-output.ts";

interface AgentPrompt {
  readonly prompt: string;
  readonly type: ReportType;
  /** Absolute. */
  readonly folder: string;
  /** Nothing that it changes there is kept. */
  readonly readOnly: boolean;
  /** Why its last answer could not be taken. */
  readonly problem: string | undefined;
}

export const exampleReport = (type: ReportType): string => `{ "type": "${type}", "payload": { ... } }`;

export const writeAgentPrompt = ({ prompt, type, folder, readOnly, problem }: AgentPrompt): string =>
  [
    "You work alone, and a program reads your answer: it is your report, also where you have tools to report with.",
    `Work in the current folder, ${folder}, and nowhere else.${readOnly ? " Only read there: nothing that you change is kept." : ""}`,
    ...(problem === undefined ? [] : [`Your last answer could not be taken: ${problem}`]),
    "",
    prompt,
    "",
    "## How to answer",
    `End your answer with one block, with the payload that "Reply" above asks for, as JSON:`,
    "",
    "```json",
    exampleReport(type),
    "```",
    "",
    "Only where you cannot go on without a person's decision, end it with this instead; you are asked again, with the answer:",
    "",
    "```json",
    // No JSON: an agent that repeats its prompt asks nothing.
    '{ "type": "QUESTION", "payload": { "question": ... } }',
    "```",
    "",
  ].join("\n");
