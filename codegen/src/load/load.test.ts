import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { genConfigSchema } from "@fairlead/contracts";
import { describe, expect, test } from "vitest";
import { checkDrift, generate } from "../generate.ts";
import { contractFile, temporaryProject } from "../testing/fixture.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const config = genConfigSchema.parse({ loadTimeoutMs: 60_000 });
const load = async (body: string, loadTimeoutMs = 60_000) => {
  using project = temporaryProject({ "contracts/sums.contract.ts": contractFile("sums", { body }) });
  let printed = "";
  const onOutput = (text: string): void => {
    printed += text;
  };
  const options = { root: project.root, config: { ...config, loadTimeoutMs }, onOutput };
  const result = await generate(options);
  const checked = await checkDrift(options);
  const words = result.diagnostics.map(({ code, message }) => `${code}: ${message}`);
  return { ok: result.ok, checked: checked.ok, words, printed };
};

describe("what a contract does while it is loaded ends nothing but its own loading", () => {
  const ending = [
    ["process.exit(0);", "the file ends the process with code 0 while it is imported"],
    ["process.exitCode = 7; process.exit();", "the file ends the process with code 7 while it is imported"],
    [
      "await new Promise(() => undefined);",
      "the file never finishes loading: it awaits a promise that nothing settles",
    ],
    ["throw new Error('no');", "the file fails while it is imported: no"],
  ] as const;
  test.each(ending.filter((_, at) => inLongTier || at % 4 === 0))("%s", async (body, words) => {
    expect(await load(body)).toMatchObject({
      ok: false,
      checked: false,
      words: expect.arrayContaining([expect.stringContaining(words)]),
    });
  });

  const endless = ["setInterval(() => undefined, 5); await new Promise(() => undefined);", "for (;;) {}"];

  test.each(inLongTier ? endless : endless.slice(0, 1))("%s", async (body) => {
    const { ok, checked, words } = await load(body, 2_000);
    expect({ ok, checked }).toEqual({ ok: false, checked: false });
    expect(words.join()).toContain("the file was still loading after 2 seconds");
  });

  const linesOf = async (bodies: Readonly<Record<string, string>>, loadTimeoutMs: number) => {
    using project = temporaryProject({
      "contracts/sums.contract.ts": contractFile("sums", { body: 'import "./slow.ts";' }),
      ...bodies,
    });
    const { diagnostics } = await generate({ root: project.root, config: genConfigSchema.parse({ loadTimeoutMs }) });
    return diagnostics.map(({ source, line, message }) => [`${source}:${line ?? ""}`, message.split(", at ")[1]]);
  };

  if (inLongTier) {
    test("a promise that never settles is named with its file and line", async () => {
      const arrow = "export const later = async () => await 1;\n";
      const pending = "await new Promise(() => undefined);\n";
      expect(await linesOf({ "contracts/slow.ts": `${arrow}// await\n${pending}` }, 240_000)).toEqual([
        ["contracts/sums.contract.ts:", "contracts/slow.ts:3"],
      ]);
      expect(await linesOf({ "contracts/sums.contract.ts": `const a = "await";\n${pending}` }, 240_000)).toEqual([
        ["contracts/sums.contract.ts:2", undefined],
      ]);
    });
  }

  test("a loop that never ends is named with its file and line", async () => {
    const spin = "parentPort.postMessage(0);\nfor (;;);\n";
    using project = temporaryProject({
      "spin.js": `import { parentPort } from "node:worker_threads";\n${spin}`,
      "find.ts": `import { Worker } from "node:worker_threads";
import { busyPlace } from ${JSON.stringify(new URL("./busy-place.ts", import.meta.url).href)};
const worker = new Worker(new URL("./spin.js", import.meta.url));
worker.once("message", async () => {
  console.log(await busyPlace(worker));
  await worker.terminate();
});
`,
    });
    const args = ["--conditions=@fairlead/source", "find.ts"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project.root });
    expect(stdout).toBe(`${project.root}/spin.js:3\n`);
  });

  test("what it prints is handed over, and a timer that it leaves behind delays nothing", async () => {
    const { ok, printed } = await load(
      "console.log('loud'); console.error('louder'); setInterval(() => undefined, 1e6);",
    );
    expect(ok).toBe(true);
    expect(printed).toContain("loud\n");
    expect(printed).toContain("louder\n");
  });
});

if (inLongTier) {
  test("a script that generates ends when it has generated", async () => {
    using project = temporaryProject({
      "contracts/sums.contract.ts": contractFile("sums", { body: "console.log('loud');" }),
      "generate.js": `
import { generate } from "@fairlead/codegen";
import { genConfigSchema } from "@fairlead/contracts";
const options = { root: import.meta.dirname, config: genConfigSchema.parse({ loadTimeoutMs: 60_000 }), onOutput: () => undefined };
const { ok } = await generate(options);
console.log(ok, process.getActiveResourcesInfo().includes("MessagePort"));
`,
    });
    const args = ["--conditions=@fairlead/source", "generate.js"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project.root });
    // A port that is read keeps the process.
    expect(stdout).toBe("true false\n");
  });
}

describe("the contract object", () => {
  const written = (contract: string) => `
import * as z from "zod";
const good = (id) => ({ id, version: "1.0.0", summary: "S.", procedures: {} });
export default ${contract};
`;
  const messages = async (contract: string) => {
    using project = temporaryProject({ "contracts/odd.contract.js": written(contract) });
    const { diagnostics } = await generate({ root: project.root, config });
    return diagnostics.filter(({ severity }) => severity === "error").map(({ message, fix }) => `${message}; ${fix}`);
  };
  const look = (more: string) =>
    `({ ...good("odd"), procedures: { look: { kind: "query", retry: "safe", summary: "S.", input: z.object({}), output: z.int(), ${more} } } })`;

  if (inLongTier) {
    test("is parsed at every depth, so that JavaScript authors get what types give others", async () => {
      expect(await messages('({ ...good("odd"), procedures: { look: { kind: "query" } } })')).toContainEqual(
        expect.stringContaining("`procedures.look.input` in the contract: expected a Zod schema"),
      );
      expect(await messages(look("polcy: {}"))).toEqual([
        expect.stringMatching(/`procedures\.look\.polcy`.*did you mean policy\?/),
      ]);
      expect(await messages(look("policy: { deadlineMs: '5' }"))).toEqual([
        expect.stringContaining("`procedures.look.policy.deadlineMs` in the contract: expected a number"),
      ]);
      expect(await messages(look("errors: { odd: { code: 'not_found' } }"))).toEqual([
        expect.stringContaining("`procedures.look.errors.odd.when` in the contract: expected a string"),
      ]);
      expect(await messages("({ ...good(7), procedures: 5 })")).toHaveLength(2);
    });

    test("may be one of a list", async () => {
      expect(await messages('[good("one"), good("two")]')).toEqual([]);
      expect(await messages("[]")).toEqual([expect.stringContaining("or a list of such")]);
    });
  }
});
