/**
 * What an output says, without what differs by chance each time a program runs: durations, times, addresses, ports, ids, seeds, the
 * names of temporary folders. Two runs that fail in the same way have one signature. Pure.
 */
import { stripVTControlCharacters } from "node:util";
import { shortHash } from "../value/hash.ts";

/** Line numbers stay: a compiler that stops at the first error says by them that another one was reached. */
const replacements: readonly (readonly [noise: RegExp, placeholder: string])[] = [
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b0x[0-9a-f]{4,16}\b/gi, "<address>"],
  [/(?<=[\w$])@[0-9a-f]{5,16}\b/g, "@<id>"],
  [/\bpytest-of-[\w-]{1,64}\/pytest-\d+/g, "<run>"],
  [/(?:\/private)?\/var\/folders\/[\w+-]+\/[\w+-]+\/T\/[^/\s'":;,()]+/g, "<tmp>"],
  [/(?:\/private|\/var)?\/tmp\/[^/\s'":;,()]+/g, "<tmp>"],
  [/[A-Z]:\\[^\s'":;,()]*?\\Temp\\[^\\\s'":;,()]+/gi, "<tmp>"],
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}[:_]\d{2}[:_]\d{2}(?:[.,_]\d+)?(?:Z|[+-]\d{2}:?\d{2})?/g, "<time>"],
  [/(?<![\w:.])\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?![\w:])/g, "<time>"],
  [/\bduration(?:_ms)?[\s:=]{1,4}\d+(?:\.\d+)?/gi, "<duration>"],
  [/(?<![\w.])\d+(?:\.\d+)?\s?(?:[mnuµ]?s|msecs?|secs?|seconds?|milliseconds?|minutes?)\b/g, "<duration>"],
  [/\b(localhost|\d{1,3}(?:\.\d{1,3}){3}|\[::1?\]):\d{2,5}\b/g, "$1:<port>"],
  [/\bseed["'\s:=]{1,6}-?\d+/gi, "<seed>"],
  [/\b(?:pid[\s:=]{1,4}|goroutine |node:)\d+/gi, "<process>"],
  [/==\d+==/g, "<process>"],
  [/(thread '[^']*' )\(\d+\)/g, "$1<process>"],
];

/** A text without what differs by chance; runs of spaces are one, empty lines are gone. */
const normalizeOutput = (text: string): string =>
  replacements
    .reduce((clean, [noise, placeholder]) => clean.replace(noise, placeholder), stripVTControlCharacters(text))
    .split("\n")
    .map((line) => line.trim().replaceAll(/\s+/g, " "))
    .filter((line) => line !== "")
    .join("\n");

/** Lines that say what failed: failed tests, errors, frames of a stack. */
const decisive =
  /\b(?:not ok|fail(?:s|ed|ing|ures?)?|err(?:ors?)?|fatal|panick?(?:ed)?|assert\w*|expected|received|refused|denied|missing|cannot|counterexample|segv)\b|(?:error|exception)\b|[×✗✕✘●]|^\d+\) |^E |^(?:#\d+|at) /i;

const max = { lines: 40, lineLength: 300, otherwise: 200 } as const;

/** The failed parts of an output, in whatever order they were printed; the first 200 characters where none is recognised. */
const selectFailure = (output: string): string => {
  const clean = normalizeOutput(output);
  const lines = [...new Set(clean.split("\n").filter((line) => decisive.test(line)))].toSorted();
  if (lines.length === 0) return clean.slice(0, max.otherwise);
  const shown = lines.slice(0, max.lines).map((line) => line.slice(0, max.lineLength));
  return [String(lines.length), ...shown].join("\n");
};

/** Six digits of the command, six of how it failed: a command's failures can be found again. */
export const signFailure = (command: string, output: string): string =>
  `${signCommand(command)}${shortHash(selectFailure(output)).slice(0, 6)}`;

export const signCommand = (command: string): string => shortHash(command).slice(0, 6);

/** A result: what was said, whatever its numbers, spaces and case, and what was changed. */
export const signResult = (summary: string, diffHash: string | null): string =>
  shortHash(`${normalizeOutput(summary).toLowerCase().replaceAll(/\d+/g, "#")}\n${diffHash ?? ""}`);
