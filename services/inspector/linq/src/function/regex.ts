/** `Regex.…`: texts looked at by patterns, in linear time whatever the pattern is. */
import { fault } from "../core/error.ts";
import type { Limits } from "../core/limits.ts";
import { regexProgram } from "../regex/program.ts";
import { type RegexMatch, searchRegex, searchSteps, sharedSteps } from "../regex/search.ts";
import { boolean, int32, listType, scalar, string, type Type } from "../type/type.ts";
import { Sequence } from "../value/sequence.ts";
import { type MethodRow, methodTable } from "./method.ts";
import type { StaticMembers } from "./statics.ts";
import { needed } from "./string-search.ts";

const any: Type = scalar("String");

/** Paid for before: every step that it may take, by sixteens. */
const cost = (text: unknown, pattern: unknown): number =>
  typeof text === "string" && typeof pattern === "string" ? searchSteps(regexProgram(pattern), text) >> 4 : 0;

/** Matches from left to right that do not overlap; the searches for all of them have the steps of one. */
const matches = function* (text: string, pattern: string): Iterable<RegexMatch> {
  const program = regexProgram(pattern);
  const steps = sharedSteps();
  for (let from = 0; from <= text.length; ) {
    const found = searchRegex(program, text, from, steps);
    if (found === undefined) return;
    yield found;
    const [begin = 0, end = 0] = found;
    from = end === begin ? end + 1 : end;
  }
};

const part = (text: string, found: RegexMatch, group: number): string => {
  const begin = found[2 * group] ?? -1;
  return begin < 0 ? "" : text.slice(begin, found[2 * group + 1]);
};

/** Searches of all matches begin again after each: many of them in a long text are refused. */
const mostMatches = 1_000;

const all = (text: string, pattern: string): readonly RegexMatch[] => {
  const found: RegexMatch[] = [];
  for (const match of matches(text, pattern)) {
    if (found.length === mostMatches)
      throw fault(
        "too_many_items",
        `The pattern matches more than ${mostMatches} times`,
        "use IsMatch, or a shorter text",
      );
    found.push(match);
  }
  return found;
};

/** `$1` is a group, `$$` a dollar sign. */
const filled = (template: string, text: string, found: RegexMatch): string =>
  template.replace(/\$(\$|\d)/g, (whole, what: string) => {
    if (what === "$") return "$";
    return 2 * Number(what) < found.length ? part(text, found, Number(what)) : whole;
  });

const replaced = (text: string, pattern: string, template: string): string => {
  let made = "";
  let from = 0;
  for (const found of all(text, pattern)) {
    made += text.slice(from, found[0]) + filled(template, text, found);
    from = found[1] ?? from;
  }
  return made + text.slice(from);
};

const rows = ({ stringLength }: Limits): readonly MethodRow[] => [
  [
    "IsMatch",
    [any, any],
    boolean,
    (text: string | null, pattern: string | null) =>
      searchRegex(regexProgram(needed(pattern)), needed(text)) !== undefined,
    { cost },
  ],
  [
    "Match",
    [any, any, int32],
    any,
    (text: string | null, pattern: string | null, group = 0) => {
      const found = searchRegex(regexProgram(needed(pattern)), needed(text));
      return found === undefined || (found[2 * group] ?? -1) < 0 ? null : part(needed(text), found, group);
    },
    { required: 2, cost },
  ],
  [
    "Matches",
    [any, any],
    listType(string),
    (text: string | null, pattern: string | null) =>
      new Sequence(all(needed(text), needed(pattern)).map((found) => part(needed(text), found, 0))),
    { cost },
  ],
  [
    "Count",
    [any, any],
    int32,
    (text: string | null, pattern: string | null) => all(needed(text), needed(pattern)).length,
    { cost },
  ],
  [
    "Replace",
    [any, any, any],
    string,
    (text: string | null, pattern: string | null, template: string | null) => {
      const made = replaced(needed(text), needed(pattern), needed(template));
      if (made.length > stringLength)
        throw fault("text_too_long", `The text would be longer than ${stringLength} characters`);
      return made;
    },
    { cost },
  ],
  ["Escape", [any], string, (text: string | null) => needed(text).replace(/[\\^$.*+?()[\]{}|#\s-]/g, "\\$&")],
];

export const regexStatics = (limits: Limits): StaticMembers => ({
  properties: new Map(),
  methods: methodTable(rows(limits)),
});
