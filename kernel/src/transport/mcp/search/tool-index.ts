/**
 * Finds tools by words of what they do: a full-text index over their names, titles, descriptions and arguments, ranked as BM25 does, where a word of a name
 * counts more than one of a description. Pure; as many tools as a kernel has, a few thousand, so an index is an array of postings.
 *
 * Not here: what is shown of a tool (`search-endpoint.ts`).
 */
import type { Tool } from "@modelcontextprotocol/server";
import { readMember } from "../../../call/record.ts";

/** Names of the tools that fit best, best first. */
export type ToolSearch = (query: string, limit: number) => readonly string[];

/** BM25's own: how soon more of a word says no more, and how much a long text counts for less. */
const saturation = 1.2;
const lengthShare = 0.4;

const weights = { name: 3, title: 2, description: 2, arguments: 1 } as const;

/** A word that is the beginning of another, or the other of it, counts so much of what it would. */
const prefixShare = 0.6;
const shortestPrefix = 4;

/** What is looked at of a query and of a text. */
const longestText = 4_096;
const mostQueryWords = 16;
const mostToolWords = 400;
const longestWord = 64;
/** Longer words that the beginning of one stands for. */
const mostLonger = 100;

interface Posting {
  readonly tool: number;
  /** Times that the word is there, each as much as its place counts. */
  readonly weight: number;
}

export const makeToolIndex = (tools: readonly Tool[]): ToolSearch => {
  const texts = tools.map(weighWords);
  const lengths = texts.map((words) => [...words.values()].reduce((sum, weight) => sum + weight, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const postings = new Map<string, Posting[]>();
  for (const [tool, words] of texts.entries())
    for (const [word, weight] of words) {
      const known = postings.get(word);
      if (known === undefined) postings.set(word, [{ tool, weight }]);
      else known.push({ tool, weight });
    }
  const vocabulary = [...postings.keys()].toSorted();
  const rarity = (found: readonly Posting[]): number =>
    Math.log(1 + (tools.length - found.length + 0.5) / (found.length + 0.5));
  return (query, limit) => {
    const scores = new Map<number, number>();
    for (const [wanted, part] of readQuery(query)) {
      // A tool has a word once, by the best of the words that it may stand for.
      const best = new Map<number, number>();
      for (const word of wordsLike(vocabulary, wanted)) {
        const share = word === wanted ? part : part * prefixShare;
        const found = postings.get(word);
        if (found === undefined) continue;
        for (const { tool, weight } of found) {
          const normal = 1 - lengthShare + (lengthShare * (lengths[tool] ?? 0)) / meanLength;
          const score = (share * rarity(found) * weight * (saturation + 1)) / (weight + saturation * normal);
          best.set(tool, Math.max(best.get(tool) ?? 0, score));
        }
      }
      for (const [tool, score] of best) scores.set(tool, (scores.get(tool) ?? 0) + score);
    }
    return [...scores]
      .toSorted(([one, first], [other, second]) => second - first || one - other)
      .slice(0, limit)
      .flatMap(([tool]) => tools[tool]?.name ?? []);
  };
};

/** What people say, and what tools are called. */
const verbs: readonly (readonly [named: string, said: string])[] = [
  ["list", "which what find show see search who"],
  ["create", "add make new put write send post file publish prepare book begin open"],
  ["update", "change edit move set scale rename modify adjust"],
  ["delete", "remove cancel erase drop discard clear"],
  ["remove", "delete disconnect discard drop"],
  ["start", "begin launch open"],
  ["stop", "close quit end"],
  ["end", "finish over stop"],
];
/** Such a word is a guess, and counts so much of what it would. */
const verbShare = 0.5;

const toolVerbs = new Map<string, readonly string[]>();
for (const [named, said] of verbs)
  for (const word of said.split(" ")) toolVerbs.set(word, [...(toolVerbs.get(word) ?? []), named]);

/** The words of a query, each with how much it counts. */
const readQuery = (query: string): ReadonlyMap<string, number> => {
  const telling = splitWords(query).filter((word) => toolVerbs.has(word) || !commonWords.has(word));
  const words = [...new Set(telling)].slice(0, mostQueryWords);
  const guessed = words.flatMap((word) => (toolVerbs.get(word) ?? []).map((name) => [stem(name), verbShare] as const));
  const said = words.flatMap((word) => (commonWords.has(word) ? [] : [[stem(word), 1] as const]));
  return new Map([...guessed, ...said]);
};

/** The word itself, its beginnings, which need not be in the vocabulary, and words that it is the beginning of. */
const wordsLike = (vocabulary: readonly string[], wanted: string): readonly string[] => {
  const shorter = Array.from({ length: Math.max(0, wanted.length - shortestPrefix) }, (_, at) =>
    wanted.slice(0, shortestPrefix + at),
  );
  if (wanted.length < shortestPrefix) return [wanted];
  const from = findFirst(vocabulary, wanted);
  const near = vocabulary.slice(from, from + mostLonger + 1);
  return [
    ...shorter,
    wanted,
    ...near.filter((word) => word !== wanted && word.startsWith(wanted)).slice(0, mostLonger),
  ];
};

/** Where a word is in a sorted list, or would be. */
const findFirst = (sorted: readonly string[], wanted: string): number => {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? "") < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
};

const weighWords = ({ name, title = "", description = "", inputSchema }: Tool): ReadonlyMap<string, number> => {
  const { properties = {} } = inputSchema;
  const parameters = Object.entries(properties).map(
    ([field, schema]) => `${field} ${toText(readMember(schema, "description"))}`,
  );
  const found = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of readWords(text)) {
      const before = found.get(word);
      if (before !== undefined || found.size < mostToolWords) found.set(word, (before ?? 0) + weight);
    }
  };
  add(name, weights.name);
  add(title, weights.title);
  add(description, weights.description);
  add(parameters.join(" "), weights.arguments);
  return found;
};

const toText = (value: unknown): string => (typeof value === "string" ? value : "");

/** Words that say nothing about a tool. */
const commonWords = new Set(
  "a an and any are as at be by can do does for from get give has have how i if in into is it its like me my new of on one or our out show so some that the their them then there these they this to up use used want was we what when where which who will with you your".split(
    " ",
  ),
);

/** The words of a text by their stems. */
const readWords = (text: string): readonly string[] =>
  splitWords(text).flatMap((word) => (commonWords.has(word) ? [] : [stem(word)]));

/** Those of `getStats` and `get_stats` are two. */
const splitWords = (text: string): readonly string[] =>
  text
    .slice(0, longestText)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.map((word) => word.slice(0, longestWord)) ?? [];

const endings = ["ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "ors", "or", "ed", "es", "s", "e", "y"];
const shortestStem = 3;

/** Near enough to join `create`, `creates` and `creating`, `encounter` and `encounters`. */
const stem = (word: string): string => {
  const ending = endings.find((each) => word.endsWith(each) && word.length - each.length >= shortestStem);
  if (ending === undefined) return word;
  const root = word.slice(0, -ending.length);
  return root.length > shortestStem && root.at(-1) === root.at(-2) ? root.slice(0, -1) : root;
};
