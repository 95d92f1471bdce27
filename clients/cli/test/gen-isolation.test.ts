/** What a contract's own code does while `gen` loads it: neither the result of a program nor the exit code can be fooled by it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { start } from "./command-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let project: OutsideProject;
beforeAll(() => {
  project = outsideProject();
});
afterAll(() => project.remove());

const path = "contracts/loud.contract.ts";
const contract = (body: string): string => `import { defineContract } from "@fairlead/contracts";
${body}
export default defineContract({
  id: "loud", version: "1.0.0", summary: "Is loud.",
  procedures: {},
});
`;

const documents = (out: string): readonly unknown[] =>
  out
    .trimEnd()
    .split(/\n(?=\{)/)
    .map((text) => JSON.parse(text));

const loud = 'console.log("loud"); process.stdout.write("louder\\n");';
const ending: readonly (readonly [string, string, string])[] = [
  ["ends the process with 0", "process.exit(0);", "ends the process with code 0"],
  ["waits for ever", "await new Promise(() => undefined);", "never finishes loading"],
];

if (inLongTier) {
  describe("one that prints", () => {
    test.each([["gen"], ["gen", "--check"]])("leaves the document of %s --json whole", async (...words) => {
      project.write(path, contract(loud));
      const { out, err } = await start([...words, "--json"], { cwd: project.folder }).ended;
      expect(documents(out)).toEqual([expect.objectContaining({ schemaVersion: 1 })]);
      expect(err).toContain("loud\n");
    });
  });
}

describe.each(inLongTier ? ending : ending.slice(0, 1))("one that %s", (_, body, words) => {
  const failed = { diagnostics: expect.arrayContaining([expect.objectContaining({ code: "contract_load_failed" })]) };

  test.each([["gen"], ["gen", "--check"]])("fails %s with exit 2 and one document", async (...command) => {
    project.write(path, contract(body));
    const { code, out, err } = await start([...command, "--json"], { cwd: project.folder }).ended;
    expect(code).toBe(2);
    expect(documents(out)).toEqual([expect.objectContaining({ ok: false, ...failed })]);
    expect(out).toContain(words);
    expect(JSON.parse(err.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ error: { code: "contract_invalid" } });
  });

  if (inLongTier) {
    test("is one failed run of gen --watch, and the next one is good", async () => {
      project.write(path, contract(body));
      const watching = start(["gen", "--watch", "--json"], { cwd: project.folder });
      await watching.until(/"ok":false.*\n/);
      project.write(path, contract(loud));
      const out = await watching.until(/"ok":true.*\n/);
      watching.child.kill("SIGINT");
      expect((await watching.ended).code).toBe(130);
      expect(documents(out)).toEqual([
        expect.objectContaining({ ok: false, ...failed }),
        expect.objectContaining({ ok: true }),
      ]);
    });
  }
});

if (inLongTier) {
  test("a malformed contract is named with the line of its author's file", async () => {
    project.write(
      path,
      contract("").replace("procedures: {},", "procedures: {},\n  polcy: {},\n  verbs: { loud: 5 },"),
    );
    const { err } = await start(["gen"], { cwd: project.folder }).ended;
    expect(err).toContain(`${path}:6 loud: \`polcy\``);
    expect(err).toContain(`${path}:7 loud: \`verbs.loud\``);
    expect(err).not.toContain("codegen");
  });
}
