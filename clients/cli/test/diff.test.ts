/** `fairlead diff` over what its two words can name: a git ref, a folder, a release and a running kernel's documents. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

const path = "contracts/notes.contract.ts";
const contract = (
  fields: string,
  version = "1.0.0",
): string => `import { defineContract, query } from "@fairlead/contracts";
import * as z from "zod";
export default defineContract({
  id: "notes", version: "${version}", summary: "Notes.",
  procedures: {
    look: query({ summary: "Looks.", input: z.strictObject({ ${fields} }), output: z.object({ it: z.string().describe("It") }) }),
  },
});
`;
const old = `of: z.string().max(20).describe("Which")`;
const narrower = `of: z.string().max(5).describe("Which")`;

let project: OutsideProject;
const command = (...args: readonly string[]) => runHere(args, { cwd: project.folder });
const git = (...args: readonly string[]): void =>
  void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
    cwd: project.folder,
    stdio: "ignore",
  });

beforeAll(async () => {
  project = outsideProject();
  project.write(path, contract(old));
  await command("gen");
  git("init", "-q", "-b", "trunk");
  git("add", "contracts", "gen");
  git("commit", "-q", "-m", "First");
  expect((await command("diff", "--release", "1.0.0")).code).toBe(0);
  project.write(path, contract(narrower));
  await command("gen");
});
afterAll(() => project.remove());

const changed = expect.stringContaining("breaking    notes.look input of: takes less: maxLength 20 -> 5 (all)");

test("documents that are not what the contracts say are not compared", async () => {
  project.write(path, contract(`of: z.string().max(7).describe("Which")`));
  const hint = expect.stringContaining("hint: run `fairlead gen` first");
  expect(await command("diff", "trunk")).toMatchObject({ code: 9, out: "", err: hint });
  expect(await command("diff", "--release", "2.0.0")).toMatchObject({ code: 9, out: "", err: hint });
  project.write(path, contract(narrower));
});

describe("what the old side may be", () => {
  test("a git ref", async () => {
    expect(await command("diff", "trunk")).toMatchObject({ code: 0, out: changed });
  });

  test("the last release, when nothing is named", async () => {
    expect(await command("diff")).toMatchObject({ code: 0, out: changed });
    expect(await command("diff", ".", "contracts/released/1.0.0")).toMatchObject({
      out: expect.stringContaining("compatible  notes.look input of: takes more: maxLength 5 -> 20 (all)"),
    });
  });

  test("a kernel at an address", async () => {
    const folder = join(project.folder, "contracts/released/1.0.0");
    // Serves what a kernel serves under these addresses, which has no verbs where no service declares some.
    let hasVerbs = true;
    const server: Server = createServer(({ url = "" }, response) => {
      const file = url.startsWith("/schema/") ? `${url.slice(8, -5)}.schema.json` : url.slice(1);
      if (file !== "verbs.json") response.end(readFileSync(join(folder, file)));
      else if (hasVerbs) response.end('{"version":1,"verbs":[]}');
      else response.writeHead(404).end();
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    expect(await command("diff", `http://127.0.0.1:${port}/`)).toMatchObject({ code: 0, out: changed });
    hasVerbs = false;
    expect(await command("diff", `http://127.0.0.1:${port}/`)).toMatchObject({ code: 0, out: changed });
    server.close();
    server.closeAllConnections();
    await new Promise((done) => server.once("close", done));
    expect(await command("diff", `http://127.0.0.1:${port}`)).toMatchObject({ code: 4 });
  });

  test("nothing else", async () => {
    expect(await command("diff", "no-such-branch")).toMatchObject({
      code: 2,
      err: expect.stringContaining('"no-such-branch" is not a folder, a git ref or an address'),
    });
    expect(await command("diff", "contracts")).toMatchObject({
      code: 2,
      err: expect.stringContaining("has no openapi.json"),
    });
  });
});

test("--fail-on ends with 9, --json has all of it, --markdown is a table", async () => {
  expect(await command("diff", "trunk", "--fail-on", "breaking")).toMatchObject({ code: 9, out: changed });
  expect(await command("diff", "trunk", "trunk", "--fail-on", "warning")).toMatchObject({ code: 0 });
  expect(await command("diff", "trunk", "--fail-on", "all")).toMatchObject({ code: 2 });
  expect(JSON.parse((await command("diff", "trunk", "--json")).out)).toMatchObject({
    verdict: "breaking",
    surfaces: { http: "breaking", mcp: "breaking" },
    changes: [{ kind: "input_narrowed", witness: expect.stringContaining("of") }],
    versions: expect.arrayContaining([expect.objectContaining({ service: "notes", needed: "2.0.0", enough: false })]),
  });
  expect((await command("diff", "trunk", "--markdown")).out).toContain("| HTTP | breaking |");
});

describe("a release", () => {
  test("is made once, under a name", async () => {
    expect(await command("diff", "--release", "1.0.0")).toMatchObject({ code: 8 });
    expect(await command("diff", "--release", "../x")).toMatchObject({ code: 2 });
  });

  test("is not taken once somebody has changed it", async () => {
    const file = join(project.folder, "contracts/released/1.0.0/notes.schema.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace('"maxLength": 20', '"maxLength": 5'));
    expect(await command("diff")).toMatchObject({
      code: 1,
      err: expect.stringContaining("was changed after it was released"),
    });
    writeFileSync(file, text);
    expect(await command("diff")).toMatchObject({ code: 0 });
  });
});
