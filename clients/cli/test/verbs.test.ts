/** Verbs that a service of the user's declares: found, read, called and shown as those of shipped services are. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandProcess, parseError, start } from "./command-process.ts";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

let project: OutsideProject;
let kernel: CommandProcess | undefined;

const run = (...args: readonly string[]) => runHere(args, { cwd: project.folder });

beforeAll(async () => {
  project = outsideProject();
  expect((await run("gen")).code).toBe(0);
});

afterAll(async () => {
  kernel?.child.kill("SIGKILL");
  await kernel?.ended;
  project.remove();
});

describe("a verb of the project's", () => {
  test("is in the help of the whole, of its group and of its own", async () => {
    expect((await run("--help")).out).toMatch(/Commands of the services:\n {2}probe echo +Give back a text$/m);
    expect((await run("probe", "--help")).out).toContain("probe late");
    expect((await run("probe", "echo", "--help")).out).toMatch(/<text>[\s\S]*--times <n> +Not in the input/);
    expect(await run("probe")).toMatchObject({ code: 2, err: expect.stringContaining("fairlead probe --help") });
    expect(await run("prob", "echo")).toMatchObject({ code: 2, err: expect.stringContaining("did you mean") });
  });

  test("shows its result, and its notes on stderr", async () => {
    expect(await run("probe", "echo", "hi")).toMatchObject({ code: 0, out: "hi once\n", err: "no numbers\n" });
    const more = await run("probe", "echo", "hi", "-d", '{"list":[2,3]}', "--times", "3 times");
    expect(more).toMatchObject({ code: 0, out: "hi 3 times\n- 2\n- 3\n", err: "" });
    expect((await run("level", "--level", "3")).out).toBe("level  3\n");
  });

  test("prints one document with --json", async () => {
    const { out } = await run("probe", "echo", "hi", "--json");
    expect(JSON.parse(out)).toEqual({ schemaVersion: 1, text: "hi", list: [] });
  });

  test("refuses wrong values, results and errors in its own words", async () => {
    expect((await run("level", "--level", "x")).code).toBe(2);
    expect((await run("probe", "echo")).code).toBe(2);
    expect((await run("probe", "echo", "hi", "-d", '{"list":["x"]}')).code).toBe(7);
    const refused = await run("level", "--level", "7");
    expect([refused.code, parseError(refused)]).toMatchObject([6, { message: "there is no level 7" }]);
    const late = await run("probe", "late");
    expect([late.code, parseError(late)]).toMatchObject([5, { message: "too late", hint: "come 3 hours earlier" }]);
  });
});

test("a kernel hands its verbs to a command that has none of its code", async () => {
  kernel = start(["up", "--port", "0", "--json"], { cwd: project.folder });
  const url = String(JSON.parse(await kernel.until(/\n/)).http).replace(/\/api$/, "");
  const elsewhere = outsideProject();
  try {
    const remote = (...args: readonly string[]) => runHere([...args, "--url", url], { cwd: elsewhere.folder });
    elsewhere.write("fairlead.config.ts", "export default {};\n");
    expect(await remote("probe", "echo", "far")).toMatchObject({ code: 0, out: "far once\n" });
    expect((await remote("level", "--help")).out).toContain("fairlead level --level 3");
    expect((await remote("nothing")).code).toBe(2);
    const watching = start(["probe", "echo", "far", "--watch", "--url", url], { cwd: elsewhere.folder });
    await watching.until(/far once\ntick 1\ntick 2\n/);
    watching.child.kill("SIGINT");
    await watching.ended;
  } finally {
    elsewhere.remove();
  }
});
