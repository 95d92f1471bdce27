import {
  ask,
  type Contract,
  confirm,
  defineContract,
  download,
  error,
  mutation,
  paginated,
  query,
  type Rename,
  subscription,
  upload,
} from "@fairlead/contracts";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { buildRelease } from "../testing/release.ts";
import { changeKinds } from "./change.ts";
import { compareReleases } from "./compare.ts";
import { readRelease } from "./release.ts";
import { comparisonMarkdown, comparisonText, surfaceVerdicts } from "./report.ts";

const text = z.string().max(100).describe("Text");
const note = { title: text, text: text.optional(), pages: z.int().min(1).max(9).default(1).describe("Pages") };
const gone = (more: object = {}) => error({ code: "not_found", when: "there is none", ...more });

const add = {
  summary: "Adds.",
  input: z.strictObject(note),
  output: z.object({ id: text, tags: z.array(z.enum(["a", "b"])).describe("Tags") }),
  errors: { full: error({ code: "resource_exhausted", when: "there is no room", data: z.object({ most: z.int() }) }) },
  tool: "note_add",
  run: {},
  questions: {
    sure: confirm({ when: "it is there" }),
    where: ask({ when: "there are several", answer: z.object({ folder: text, depth: z.int().max(5).optional() }) }),
  },
};
const list = { summary: "Lists.", input: z.object({ of: text }), output: z.object({ all: z.array(text) }) };
const watch = { summary: "Watches.", input: z.object({}), output: z.object({ id: text }) };
const verb = {
  summary: "Adds",
  examples: ["fairlead note add tea"],
  arguments: [{ name: "title", field: "title", about: "Title" }],
  flags: [{ flags: "-p, --pages <n>", field: "pages", about: "Pages" }],
  steps: [{ call: "add", as: "added" }],
  document: { id: "added.id" },
  show: "{id}",
};

const pages = { summary: "Pages.", input: z.object({}), item: z.object({ id: text }) };

const store = {
  summary: "Stores.",
  retry: "idempotent" as const,
  input: z.object({ of: text }),
  output: z.object({ id: text }),
  file: { maxBytes: 1_000, types: ["image/*", "text/plain"] },
};
const fetched = { summary: "Fetches.", input: z.object({ of: text }), types: ["image/png"] };
const { file: _file, ...storeAlone } = store;

const procedures = {
  store: upload(store),
  fetch: download(fetched),
  add: mutation({ ...add, retry: "keyed" }),
  list: query(list),
  watch: subscription(watch),
  pages: paginated(pages),
};
const notes = (changed: object = {}, { verbs = { "note add": verb }, version = "1.2.0" } = {}): Contract =>
  defineContract({ id: "notes", version, summary: "Notes.", procedures: { ...procedures, ...changed }, verbs });
const before = buildRelease(notes());

const kindsOf = (after: Contract) =>
  compareReleases(before, buildRelease(after)).changes.map(({ kind, verdict, where }) => `${verdict} ${kind} ${where}`);

test("nothing changed", () => {
  expect(kindsOf(notes())).toEqual([]);
  expect(kindsOf(notes({ add: mutation({ ...add, retry: "keyed", summary: "Adds a note." }) }))).toEqual([]);
});

const addWith = (more: object, retry: "keyed" | "idempotent" | "unsafe" = "keyed") =>
  notes({ add: mutation({ ...add, ...more, retry }) });
const output = (fields: object) => addWith({ output: z.object({ ...add.output.shape, ...fields }) });
const input = (fields: object) => addWith({ input: z.strictObject({ ...note, ...fields }) });
const { add: ___, ...withoutAdd } = procedures;
const renamed = (renamedFrom: Readonly<Record<string, Rename>>, tool = "note_add") =>
  defineContract({
    ...notes(),
    procedures: { ...withoutAdd, create: mutation({ ...add, tool, retry: "keyed", renamedFrom }) },
  } as unknown as Contract);
const paged = paginated(pages);
const form = (fields: object) =>
  ask({ when: "there are several", answer: z.object({ folder: text, depth: z.int().max(5).optional(), ...fields }) });
const files = (types: readonly string[] | undefined) =>
  notes({ store: upload({ ...store, file: { maxBytes: 1_000, ...(types !== undefined && { types }) } }) });
const described = download(fetched).output;
const given = (rule: { readonly types?: readonly string[] } | undefined) => {
  const { types: _types, ...alone } = fetched;
  return notes({
    fetch: rule === undefined ? query({ ...alone, output: described }) : download({ ...alone, ...rule }),
  });
};
const { list: _, ...withoutList } = procedures;
const { text: __, ...withoutText } = note;

describe("each kind of change has its verdict", () => {
  const tried: readonly (readonly [readonly string[], Contract])[] = [
    [
      ["breaking procedure_removed notes.list"],
      defineContract({ ...notes(), procedures: withoutList } as unknown as Contract),
    ],
    [
      ["compatible procedure_added notes.create", "compatible deprecated notes.add"],
      renamed({ add: { since: "1.3.0" } }),
    ],
    [
      ["compatible procedure_added notes.create", "compatible deprecated notes.add"],
      renamed({ add: { since: "1.3.0", tool: "note_add" } }, "note_create"),
    ],
    [["compatible procedure_added notes.more"], notes({ more: query(list) })],
    [
      ["breaking service_removed notes", "compatible service_added others"],
      defineContract({ ...notes({}, { verbs: { "note add": verb } }), id: "others" } as unknown as Contract),
    ],
    [
      ["breaking kind_changed notes.list", "breaking route_removed notes.list"].concat(
        "breaking retry_weakened notes.list",
        "breaking access_raised notes.list",
      ),
      notes({ list: mutation({ ...list, retry: "unsafe" }) }),
    ],
    [
      ["breaking input_narrowed notes.add input pages", "warning default_changed notes.add input pages"],
      input({ pages: z.int().min(2).max(9).default(2) }),
    ],
    [["compatible input_widened notes.add input pages"], input({ pages: z.int().min(1).max(99).default(1) })],
    [
      ["breaking input_narrowed notes.add input text", "warning input_field_removed notes.add input text"],
      addWith({ input: z.strictObject(withoutText) }),
    ],
    [["warning default_changed notes.add input pages"], input({ pages: z.int().min(1).max(9).default(2) })],
    [["breaking output_widened notes.add output tags[]"], output({ tags: z.array(z.enum(["a", "b", "c"])) })],
    [["compatible output_narrowed notes.add output tags[]"], output({ tags: z.array(z.enum(["a"])) })],
    [["compatible output_narrowed notes.add output more"], output({ more: z.int() })],
    [["warning error_removed notes.add error full"], addWith({ errors: {} })],
    [["warning error_added notes.add error gone"], addWith({ errors: { ...add.errors, gone: gone() } })],
    [
      ["breaking error_code_changed notes.add error full", "breaking error_data_removed notes.add error full"],
      addWith({ errors: { full: gone() } }),
    ],
    [["compatible deprecated notes.add"], addWith({ deprecated: { since: "1.2.0" } })],
    [["breaking retry_weakened notes.add"], addWith({}, "unsafe")],
    [["compatible retry_strengthened notes.add"], addWith({}, "idempotent")],
    [["breaking access_raised notes.add"], addWith({ access: "admin" })],
    [["warning access_lowered notes.add"], addWith({ access: "read" })],
    [["warning deadline_shortened notes.add"], addWith({ policy: { deadlineMs: 1_000 } })],
    [["compatible deadline_lengthened notes.add"], addWith({ policy: { deadlineMs: 100_000 } })],
    [["breaking run_removed notes.add"], addWith({ run: undefined })],
    [["compatible run_added notes.list"], notes({ list: query({ ...list, run: {} }) })],
    [
      ["breaking pages_removed notes.pages", "warning page_iterator_removed notes.pages"],
      notes({ pages: query({ summary: "Pages.", input: paged.input, output: paged.output }) }),
    ],
    [
      [
        "breaking question_kind_changed notes.add question where",
        "compatible question_removed notes.add question sure",
      ],
      addWith({ questions: { where: confirm({ when: "there are several" }) } }),
    ],
    [
      ["warning question_added notes.add question really"],
      addWith({ questions: { ...add.questions, really: confirm({ when: "it is late" }) } }),
    ],
    [
      ["breaking input_narrowed notes.add question where depth"],
      addWith({ questions: { ...add.questions, where: form({ depth: z.int().max(4).optional() }) } }),
    ],
    [
      ["compatible input_widened notes.add question where depth"],
      addWith({ questions: { ...add.questions, where: form({ depth: z.int().max(6).optional() }) } }),
    ],
    [["breaking upload_removed notes.store"], notes({ store: mutation(storeAlone) })],
    [
      ["breaking upload_narrowed notes.store"],
      notes({ store: upload({ ...store, file: { ...store.file, maxBytes: 999 } }) }),
    ],
    [["breaking upload_narrowed notes.store"], files(["image/*"])],
    [["breaking upload_narrowed notes.store"], files(["image/png", "image/jpeg", "text/plain"])],
    [
      ["breaking upload_narrowed notes.store", "compatible upload_widened notes.store"],
      files(["image/*", "application/pdf"]),
    ],
    [["compatible upload_widened notes.store"], files(undefined)],
    [["compatible upload_widened notes.store"], files(["IMAGE/*", "text/*"])],
    [["breaking download_removed notes.fetch"], given(undefined)],
    [["breaking download_widened notes.fetch"], given({ types: ["image/*"] })],
    [["breaking download_widened notes.fetch"], given({})],
    [
      ["breaking download_widened notes.fetch", "compatible download_narrowed notes.fetch"],
      given({ types: ["image/webp"] }),
    ],
    [["breaking route_removed notes.add", "compatible route_added notes.add"], addWith({ http: { path: "/n" } })],
    [
      // The GET stays; the new field can be sent by POST only.
      [],
      notes({ list: query({ ...list, input: z.object({ of: text, inner: z.object({ a: z.int() }).optional() }) }) }),
    ],
    [
      ["breaking route_removed notes.list", "breaking input_narrowed notes.list input inner"],
      notes({ list: query({ ...list, input: z.object({ of: text, inner: z.object({ a: z.int() }) }) }) }),
    ],
    [["breaking tool_removed notes.add"], addWith({ tool: "add_note" })],
    [["warning annotation_changed notes.add"], addWith({ hints: { destructive: true } })],
    [
      ["breaking verb_removed fairlead note add", "compatible verb_added fairlead add"],
      notes({}, { verbs: { add: verb } as never }),
    ],
    [
      ["breaking verb_argument_added fairlead note add"],
      notes(
        {},
        {
          verbs: {
            "note add": { ...verb, arguments: [...verb.arguments, { name: "text", field: "text", about: "Text" }] },
          },
        },
      ),
    ],
    [
      ["breaking verb_argument_removed fairlead note add"],
      notes({}, { verbs: { "note add": { ...verb, arguments: [] } } }),
    ],
    [
      ["breaking verb_flag_removed fairlead note add", "compatible verb_flag_added fairlead note add"],
      notes(
        {},
        { verbs: { "note add": { ...verb, flags: [{ flags: "-p, --count <n>", field: "pages", about: "Pages" }] } } },
      ),
    ],
    [
      ["breaking verb_document_removed fairlead note add"],
      notes({}, { verbs: { "note add": { ...verb, document: {} as never } } }),
    ],
  ];

  test.each(tried)("%j", (expected, after) => {
    expect(kindsOf(after).toSorted()).toEqual([...expected].toSorted());
  });

  test("and every breaking one has a witness", () => {
    const changes = tried.flatMap(([, after]) => compareReleases(before, buildRelease(after)).changes);
    expect(changes.filter(({ verdict, witness }) => verdict === "breaking" && witness === undefined)).toEqual([]);
    // Those that are left are the other direction of one that was tried, or not decided.
    const seen = new Set(changes.map(({ kind }) => kind));
    expect(changeKinds.filter((kind) => !seen.has(kind))).toEqual([
      "input_undecided",
      "output_undecided",
      "output_field_removed",
      "error_data_added",
      "pages_added",
      "upload_added",
      "download_added",
      "tool_added",
    ]);
  });
});

test("a procedure that takes or gives a file from now on", () => {
  const plain = buildRelease(notes({ store: mutation(storeAlone), fetch: given(undefined).procedures.fetch }));
  const { changes } = compareReleases(plain, before);
  expect(changes.map(({ kind, surfaces, witness }) => [kind, surfaces.join(" "), witness])).toEqual([
    ["upload_added", "http trpc mcp typescript python cli", "POST /api/notes/store without a file"],
    ["download_added", "http typescript python cli", "POST /api/notes/fetch, answered with bytes"],
  ]);
});

test("the witness of a file is one that was taken, and one that was not given", () => {
  const witnesses = (after: Contract) =>
    compareReleases(before, buildRelease(after)).changes.map(({ witness }) => witness);
  expect(witnesses(files(["image/png"]))).toEqual(["POST /api/notes/store with a file of the type image/jpeg"]);
  expect(witnesses(files([]))).toEqual(["POST /api/notes/store with a file of the type image/png"]);
  expect(witnesses(given({ types: ["image/*"] }))).toEqual([
    "POST /api/notes/fetch, answered with a file of the type image/jpeg",
  ]);
});

test("what no value shows is not decided, and a warning", () => {
  const titled = (pattern: RegExp) => buildRelease(input({ title: z.string().max(5).regex(pattern) }));
  const { changes } = compareReleases(titled(/^[ab]$/), titled(/^[ba]$/));
  expect(changes.map(({ kind, verdict }) => [kind, verdict])).toEqual([["input_undecided", "warning"]]);
});

test.for([
  ["a pattern that another contains", /^[a-z]{2}$/, /^[a-c]{2}$/, "breaking input_narrowed"],
  [
    "a pattern that contains the other",
    /^[a-c]{2}$/,
    /^[a-z]{2}$/,
    "warning input_undecided, compatible input_widened",
  ],
] as const)("%s gets no verdict that no value shows", ([, from, to, expected]) => {
  const titled = (pattern: RegExp) => buildRelease(input({ title: z.string().max(5).regex(pattern) }));
  const { changes } = compareReleases(titled(from), titled(to));
  expect(changes.map(({ kind, verdict }) => `${verdict} ${kind}`).join(", ")).toBe(expected);
});

describe("the version", () => {
  const advice = (from: string, to: string, changed: object) =>
    compareReleases(buildRelease(notes({}, { version: from })), buildRelease(notes(changed, { version: to })))
      .versions[0];

  test.each([
    ["1.2.0", "1.2.0", {}, "none", "1.2.0", true],
    ["1.2.0", "1.2.0", { more: query(list) }, "minor", "1.3.0", false],
    ["1.2.0", "1.3.0", { more: query(list) }, "minor", "1.3.0", true],
    ["1.2.0", "1.9.0", { list: query({ ...list, input: z.object({ of: z.int() }) }) }, "major", "2.0.0", false],
    ["1.2.0", "2.0.0", { list: query({ ...list, input: z.object({ of: z.int() }) }) }, "major", "2.0.0", true],
    ["0.4.1", "0.4.2", { list: query({ ...list, input: z.object({ of: z.int() }) }) }, "major", "0.5.0", false],
    ["0.4.1", "0.4.2", { more: query(list) }, "minor", "0.4.2", true],
  ] as const)("%s to %s", (from, to, changed, bump, needed, enough) => {
    expect(advice(from, to, changed)).toMatchObject({ bump, needed, enough });
  });
});

test("words and Markdown name the surface, the place and the witness", () => {
  const comparison = compareReleases(before, buildRelease(addWith({ tool: "add_note", access: "read" })));
  expect(surfaceVerdicts(comparison.changes)).toEqual({
    http: "warning",
    trpc: "warning",
    mcp: "breaking",
    typescript: "warning",
    python: "warning",
    cli: "warning",
  });
  expect(comparisonText(comparison)).toBe(
    [
      "breaking    notes.add: the tool note_add is called add_note (MCP)",
      "            worked before: tools/call note_add",
      "warning     notes.add: took `call`, and takes `read` (all)",
      "1 breaking, 1 warning, 0 compatible",
      "notes: the changes ask for 2.0.0 (major), and the version is still 1.2.0",
    ].join("\n"),
  );
  expect(comparisonMarkdown(comparison)).toContain(
    "| breaking | `notes.add` | the tool note_add is called add_note | MCP | `tools/call note_add` |",
  );
  expect(comparisonText({ changes: [], versions: [] })).toBe("nothing changed for any caller");
});

test.each([
  [new Map(), "there is no openapi.json that can be read"],
  [new Map([["openapi.json", 5]]), "there is no openapi.json that can be read"],
  [new Map([["openapi.json", { paths: {}, tags: [{ name: "a" }] }]]), "there is no a.schema.json that can be read"],
])("documents that are no release: %j", (documents, problem) => {
  expect(readRelease(documents)).toEqual({ problem });
});
