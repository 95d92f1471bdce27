/** Contract files that go wrong where nobody looks: what they come to is said in words of the author's file, and never silence. */
import { genConfigSchema } from "@fairlead/contracts";
import { describe, expect, test } from "vitest";
import { generate } from "../generate.ts";
import { contractFile, temporaryProject } from "../testing/fixture.ts";

const inLongTier = process.env.TESTS_TIER === "long";

/** Of a table every fifth row in the quick tier, and all in the long one. */
const sample = <const T extends readonly unknown[]>(rows: readonly T[]): readonly T[] =>
  rows.filter((_, at) => inLongTier || at % 5 === 0);

const config = genConfigSchema.parse({ loadTimeoutMs: 60_000 });

const errorsIn = async (files: Readonly<Record<string, string>>) => {
  using project = temporaryProject(files);
  const { ok, written, diagnostics } = await generate({ root: project.root, config });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return { ok, written, root: project.root, errors };
};

const procedures = (id: string, text: string, before = ""): string => `import * as z from "zod";
import { defineContract, query } from "@fairlead/contracts";
${before}
export default defineContract({
  id: "${id}",
  version: "1.0.0",
  summary: "Tries.",
  procedures: {
${text}
  },
});
`;

const withInput = (fields: string, before = ""): string =>
  procedures(
    "odd",
    `    look: query({
      summary: "Looks.",
      input: z.object({ ${fields} }),
      output: z.null(),
    }),`,
    before,
  );

test("a contract may have any ending that Node runs", async () => {
  const common = `const { defineContract } = require("@fairlead/contracts");
module.exports = defineContract({ id: "IT", version: "1.0.0", summary: "S.", procedures: {} });
`;
  const { ok, written } = await errorsIn({
    "contracts/a.contract.mts": contractFile("a"),
    "contracts/b.contract.mjs": contractFile("b"),
    "contracts/c.contract.cjs": common.replace("IT", "c"),
    "contracts/d.contract.cts": common.replace("IT", "d"),
  });
  expect(ok).toBe(true);
  expect(written).toEqual(
    expect.arrayContaining(
      ["gen/a.ts", "gen/b.ts", "gen/c.ts", "gen/d.ts"].map((path) => expect.stringContaining(path)),
    ),
  );
});

describe("no run is green on nothing", () => {
  test.each([
    ["breaks what reads it", "Object.assign(Object.prototype, { more: 1 }); Array.prototype.map = () => [];"],
  ])("a contract that %s", async (_, body) => {
    const { ok, errors } = await errorsIn({ "contracts/sums.contract.ts": contractFile("sums", { body }) });
    expect(ok).toBe(false);
    expect(errors).toMatchObject([{ code: "contract_empty", source: "contracts/sums.contract.ts" }]);
  });

  test("what a contract does with its thread's own port changes nothing", async () => {
    const answer = { type: "loaded", loaded: { services: [], diagnostics: [] }, imports: [] };
    const body = `import { parentPort } from "node:worker_threads";
for (const message of [${JSON.stringify(answer)}, null, "x"]) parentPort.postMessage(message);
parentPort.on("message", () => parentPort.postMessage(null));
parentPort.close();`;
    const { ok, written } = await errorsIn({
      "contracts/sums.contract.ts": contractFile("sums", { body }),
      "contracts/more.contract.ts": contractFile("more"),
    });
    expect(ok).toBe(true);
    expect(written).toEqual(expect.arrayContaining(["gen/sums.ts", "gen/more.ts"]));
  });
});

describe("a contract ends its thread at most", () => {
  test.each([
    ["a signal to the process", "process.kill(process.pid);", "ends the process with SIGTERM"],
    ["a signal to its group", 'process.kill(0, "SIGKILL");', "ends the process with SIGKILL"],
    ["a throw in a timer", 'setTimeout(() => { throw new Error("late"); });', "fails after it was imported: late"],
    [
      "a rejection",
      'await new Promise((_, reject) => { Promise.reject(new Error("no")); });',
      "fails after it was imported: no",
    ],
  ])("by %s", async (_, body, message) => {
    const { errors } = await errorsIn({
      "contracts/odd.contract.js": withInput("", `${body}\nawait new Promise(() => undefined);`),
    });
    expect(errors).toMatchObject([{ code: "contract_load_failed", line: 3 }]);
    expect(errors[0]?.message).toContain(message);
  });
});

describe("the line is the author's", () => {
  test.each(
    sample([
      ["a throw", "\nJSON.parse('{');", 4],
      ["an exit", "\n\nprocess.exit(0);", 5],
      ["an exit in a function", "const leave = () => process.exit(3);\n\nleave();", 3],
    ]),
  )("of %s", async (_, before, line) => {
    const { errors } = await errorsIn({ "contracts/odd.contract.js": withInput("", before) });
    expect(errors).toMatchObject([{ code: "contract_load_failed", source: "contracts/odd.contract.js", line }]);
  });

  test("of a module beside it, by its path from the root", async () => {
    const { errors, root } = await errorsIn({
      "contracts/odd.contract.js": withInput("", 'import "./parts.js";'),
      "contracts/parts.js": "\nnull.x;\n",
    });
    expect(errors[0]?.fix).toContain("fix contracts/parts.js:2;");
    expect(JSON.stringify(errors)).not.toContain(root);
  });

  test.each(
    sample([
      ["a module that is not there", 'import "./gone.js";', "./gone.js"],
      ["a package that is not there", 'import "nowhere-at-all";', "nowhere-at-all"],
    ]),
  )("of %s", async (_, before, name) => {
    const { errors } = await errorsIn({ "contracts/odd.contract.js": withInput("", before) });
    expect(errors).toMatchObject([{ code: "contract_load_failed", line: 3 }]);
    expect(errors[0]?.message).toContain(name.replace("./", ""));
  });
});

describe("what a schema is made of is read at every depth", () => {
  if (inLongTier) {
    test.each(
      sample([
        ["nothing", "deep: z.object({ at: z.array(z.object({ x: undefined })) })", "procedures.look.input.deep.at.x"],
        ["a word", 'deep: "string"', "procedures.look.input.deep"],
        ["an object", "deep: { x: z.int() }", "procedures.look.input.deep"],
        ["a lazy nothing", "deep: z.lazy(() => undefined)", "procedures.look.input.deep"],
        ["a branch that is nothing", "deep: z.union([z.int(), undefined])", "procedures.look.input.deep"],
      ]),
    )("%s instead of a schema", async (_, fields, path) => {
      const { errors } = await errorsIn({ "contracts/odd.contract.js": withInput(fields) });
      expect(errors).toMatchObject([{ code: "contract_malformed", source: "contracts/odd.contract.js", line: 11 }]);
      expect(errors[0]?.message).toBe(`\`${path}\` in the contract: expected a Zod schema`);
    });

    test.each(
      sample([
        [
          "an id that is not text",
          "it: z.int().meta({ id: 5 })",
          "`procedures.look.input.it` in the contract: expected an id that is a string, in `.meta()`, where 5 is",
        ],
        [
          "a lazy schema that throws",
          'it: z.lazy(() => { throw new Error("no rain"); })',
          "`procedures.look.input.it` in the contract: expected a schema that can be read, which fails with: no rain",
        ],
        [
          "an example that is not JSON",
          'it: z.int().meta({ description: "It", examples: [1n] })',
          "`procedures.look.input.it` in the contract: expected JSON in `.meta()`, which fails with: Do not know how to serialize a BigInt",
        ],
        [
          "a pattern of its own that is none",
          'it: z.string().meta({ description: "It", pattern: "(" })',
          "the pattern /(/ is not a regular expression",
        ],
      ]),
    )("%s is one error", async (_, fields, message) => {
      const { errors } = await errorsIn({ "contracts/odd.contract.js": withInput(fields) });
      expect(errors.map((error) => error.message)).toEqual([message]);
      expect(errors[0]?.line).toBe(11);
    });
  }
});

test("a name that is none has one error, and not those of what is derived from it", async () => {
  const text = '"do-it": query({ summary: "Does.", input: z.object({}), output: z.null() }),';
  const { errors } = await errorsIn({
    "contracts/x.contract.js": procedures("x", text),
    "contracts/y.contract.js": procedures("Y-z", text.replace("do-it", "look")),
  });
  expect(errors.map(({ code }) => code)).toEqual(["procedure_name_invalid", "contract_id_invalid"]);
});

test("names of fields with any letter in them are published", async () => {
  const { errors } = await errorsIn({
    "contracts/odd.contract.js": withInput(
      ['a"b', "x\ny", "\u2028", "\u{1f980}", "*/", "`$x`"]
        .map((name) => `${JSON.stringify(name)}: z.int().describe("It")`)
        .join(),
    ),
  });
  expect(errors).toEqual([]);
});
