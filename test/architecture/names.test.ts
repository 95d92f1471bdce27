/**
 * The names of types, functions and files, the comments, messages, documents and the titles of tests: standard terms of the field. What is retired, and the
 * term that took its place, is in `docs/glossary.md`.
 */
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { isForTests } from "./folders.ts";
import { glossary, isRetired, parseGlossary, wordsIn } from "./glossary.ts";
import { files, packages, read, sources } from "./sources.ts";
import { commentsIn, type Declaration, declarationsIn, parse, textsIn, titlesIn } from "./syntax.ts";

interface Name extends Omit<Declaration, "kind"> {
  readonly kind: Declaration["kind"] | "file";
  readonly path: string;
}

interface Words {
  readonly names: readonly Name[];
  /** Messages and descriptions. */
  readonly texts: readonly { readonly path: string; readonly words: string }[];
}

const seen = new Map<string, Words>();

/** What a room's sources say, each parsed once. */
const readWords = (room: string): Words => {
  const known = seen.get(room);
  if (known !== undefined) return known;
  const parsed = sources(room).map(({ path, text }) => {
    const tree = parse(path, text);
    return {
      names: [
        { kind: "file" as const, name: basename(path, ".ts"), path },
        ...declarationsIn(tree).map((declaration) => ({ ...declaration, path })),
      ],
      texts: isForTests(path) || isVocabulary(path) ? [] : textsIn(tree).map((words) => ({ path, words })),
    };
  });
  const words = { names: parsed.flatMap(({ names }) => names), texts: parsed.flatMap(({ texts }) => texts) };
  seen.set(room, words);
  return words;
};

const namesIn = (room: string): readonly Name[] => readWords(room).names;

/** Words of a game and its players, as data. */
const isVocabulary = (path: string): boolean => /^services\/rules\/src\/(?:data|grammar)\//.test(path);

/** Of the language, of JSON Schema, and of the query language. */
const endsInOf = new Set(["allOf", "anyOf", "oneOf", "indexOf", "lastIndexOf", "typeOf", "valueOf", "ofType"]);

/** Nouns that only look like participles. */
const nouns = new Set(["Deed", "Embed", "Feed", "Need", "Seed", "Speed"]);
const irregular =
  /^(?:Begun|Bound|Built|Chosen|Drawn|Found|Given|Held|Kept|Known|Left|Made|Met|Said|Seen|Sent|Shown|Sought|Taken|Told|Written)$/;
const isParticiple = (name: string): boolean =>
  (/^[A-Z][a-z]+ed$/.test(name) && !nouns.has(name)) || irregular.test(name);

const line = ({ kind, name, path }: Name): string => `${path}: ${kind} ${name}`;

describe.each(packages)("the names of %s", (room) => {
  const names = namesIn(room);

  it("hold no retired word", () => {
    const terms = glossary().filter(({ where }) => where.length === 0 || where.includes(room));
    const wrong = names.filter(({ name }) => terms.some((term) => isRetired(name, term)));
    expect(wrong.map(line)).toEqual([]);
  });

  it("do not end in Of", () => {
    const wrong = names.filter(({ name }) => /[a-z]Of$/.test(name) && !endsInOf.has(name));
    expect(wrong.map(line)).toEqual([]);
  });

  it("of types are no bare participles", () => {
    const wrong = names.filter(({ kind, name }) => kind === "type" && isParticiple(name));
    expect(wrong.map(line)).toEqual([]);
  });
});

/** Retired in names, but plain English in a sentence, or a word of a domain there. */
const freeInProse = new Set(
  "asked given greeting happening held knowledge life listening living looking slot standing stubborn swing wanted".split(
    " ",
  ),
);
const retiredInProse = glossary()
  .filter(({ kind, term }) => kind === "word" && !freeInProse.has(term))
  .map(({ term }) => term);
const proseWord = new RegExp(`\\b(?:${retiredInProse.join("|")}|tells|telling|mends|mending)\\b`, "gi");

describe.each(packages)("the comments of %s", (room) => {
  it("hold no retired word", () => {
    const wrong = sources(room)
      .filter(({ path }) => !isForTests(path))
      .flatMap(({ path, text }) =>
        commentsIn(text).flatMap((comment) => [...comment.matchAll(proseWord)].map(([word]) => `${path}: ${word}`)),
      );
    expect(wrong).toEqual([]);
  });
});

/** "`x` is no object" where English has "is not an object". */
const isNoNoun =
  /(?<!\b(?:there|here)) is no (?!longer|more|less|other|need|such|room|place|way|matter|use|further|loss)\w/i;

describe.each(packages)("the texts of %s", (room) => {
  it("say what a thing is not as English does", () => {
    const wrong = readWords(room).texts.filter(({ words }) => words.search(isNoNoun) >= 0);
    expect(wrong.map(({ path, words }) => `${path}: ${words}`)).toEqual([]);
  });

  it("hold no retired word", () => {
    const wrong = readWords(room).texts.filter(({ words }) => words.search(proseWord) >= 0);
    expect(wrong.map(({ path, words }) => `${path}: ${words}`)).toEqual([]);
  });
});

/** A document without its code and the addresses of its links; each line stays in its place. */
const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/.+/g, "")).replace(/`[^`\n]*`|\]\([^)\n]*\)/g, "");

it("the documents hold no retired word", () => {
  const lines = files
    .filter((path) => path.endsWith(".md") && !/\/(?:expected|prompts)\/|^docs\/glossary\.md$/.test(path))
    .flatMap((path) =>
      withoutCode(read(path))
        .split("\n")
        .map((line, index) => ({ place: `${path}:${index + 1}`, line })),
    );
  const wrong = lines.filter(({ line }) => line.search(proseWord) >= 0);
  expect(wrong.map(({ place, line }) => `${place}: ${line}`)).toEqual([]);
});

it("the titles of tests hold no retired word", () => {
  const wrong = files
    .filter(
      (path) => /\.(?:test|soak)\.ts$|^test\/faults\/.*\.ts$/.test(path) && !path.startsWith("test/architecture/"),
    )
    .flatMap((path) => titlesIn(read(path)).map((title) => ({ path, title })))
    .filter(({ title }) => title.search(proseWord) >= 0);
  expect(wrong.map(({ path, title }) => `${path}: ${title}`)).toEqual([]);
});

describe("the names of types", () => {
  it("mean one thing: no three files declare one each", () => {
    const places = Map.groupBy(
      packages.flatMap(namesIn).filter(({ kind, path }) => kind === "type" && !isForTests(path)),
      ({ name }) => name,
    );
    const shared = [...places].map(([name, types]) => ({ name, paths: new Set(types.map(({ path }) => path)) }));
    const wrong = shared.filter(({ paths }) => paths.size > 2);
    expect(wrong.map(({ name, paths }) => `${name}: ${[...paths].join(", ")}`)).toEqual([]);
  });
});

describe("the check", () => {
  it("reads words and whole names off the glossary's tables", () => {
    const text =
      "| `told` | reported | said to somebody |\n## Names\n| `Crew` | `WorkerPool` | workers | services/inspector |\n";
    expect(parseGlossary(text)).toEqual([
      { kind: "word", term: "told", where: [] },
      { kind: "name", term: "Crew", where: ["services/inspector"] },
    ]);
    expect(glossary().length).toBeGreaterThan(20);
  });

  it("takes names apart, and sees a retired word in each place", () => {
    expect(wordsIn("HTTPServer")).toEqual(["httpserver"]);
    expect(wordsIn("told-twice.fixture")).toEqual(["told", "twice", "fixture"]);
    const told = { kind: "word", term: "told", where: [] } as const;
    expect(["wasTold", "ToldTwice", "told", "told-twice"].every((name) => isRetired(name, told))).toBe(true);
    expect(isRetired("untold", told)).toBe(false);
    expect(isRetired("CrewOptions", { kind: "name", term: "Crew", where: [] })).toBe(false);
  });

  it("finds types, functions, methods and constants that hold functions", () => {
    const text =
      "type A = 1; interface B {} class C { d() {} e = () => 1; } const f = () => 1; function g() {} const h = 1;";
    const names = declarationsIn(parse("x.ts", text)).map(({ name }) => name);
    expect(names.toSorted()).toEqual(["A", "B", "C", "d", "e", "f", "g"]);
  });

  it("finds comments, and no addresses in strings", () => {
    const text = 'const a = "https://told.example"; // nobody\n/** Told\n * twice. */\n// mend\n';
    expect(commentsIn(text).map((comment) => comment.match(proseWord))).toEqual([["nobody"], ["Told"], ["mend"]]);
  });

  it("finds messages and descriptions, and no names", () => {
    const text = 'const a = "told"; const b = "nobody is there"; const c = `it told on`;';
    expect(textsIn(parse("x.ts", text)).toSorted()).toEqual(["it told on", "nobody is there"]);
  });

  it("finds titles of tests", () => {
    const text = 'describe("one", () => { it.each([1])("two", f); test(\n"three", f); edit("none"); });';
    expect(titlesIn(text)).toEqual(["one", "two", "three"]);
  });

  it("knows participles", () => {
    expect(["Told", "Asked", "Judged"].every(isParticiple)).toBe(true);
    expect(["Need", "StartedService", "Reader"].some(isParticiple)).toBe(false);
  });
});
