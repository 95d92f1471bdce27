/** `fairlead bench` beside a kernel that runs in another process. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandProcess, parseError, start } from "./command-process.ts";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let project: OutsideProject;
let kernel: CommandProcess;
let url: string;

const run = (args: readonly string[]) => runHere(args, { cwd: project.folder });

beforeAll(async () => {
  project = outsideProject();
  expect((await run(["gen"])).code).toBe(0);
  kernel = start(["up", "--port", "0", "--json"], { cwd: project.folder });
  url = String(JSON.parse(await kernel.until(/\n/)).http).replace(/\/api$/, "");
});

afterAll(async () => {
  kernel.child.kill("SIGKILL");
  await kernel.ended;
  project.remove();
});

describe("bench", () => {
  const short = ["--for", "1s", "--warm-up", "0s", "--rate", "40"];

  test.each(inLongTier ? ["http", "trpc", "mcp", "memory"] : ["http"])("counts calls over %s", async (transport) => {
    const { code, out } = await run([
      ...["bench", "probe.echo", "-d", '{"text":"x"}', "--transport", transport, "--json"],
      ...short,
      ...(transport === "memory" ? ["--profile", "graph.html"] : []),
    ]);
    expect(code).toBe(0);
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      schemaVersion: 1,
      procedure: "probe.echo",
      transport,
      rate: 40,
      calls: 40,
      errors: {},
    });
    expect(report.latencyMs.p50).toBeGreaterThan(0);
    expect(report.cpuMicros).toBeGreaterThan(0);
    const graph = join(project.folder, "graph.html");
    if (transport === "memory") expect(readFileSync(graph, "utf8")).toContain("probe.echo over memory");
    project.write("last.json", out);
    const again = await run(["bench", "probe.echo", "-d", '{"text":"x"}', "--compare", "last.json", ...short]);
    expect(again.out).toMatch(
      /^probe\.echo over http, 40 a second for 1 s: 40 calls, .*\n(?:before was .*\n)?\n {2}p50 .* ms {3}before .* ms, /,
    );
    expect(again.out.includes("\nbefore was another load")).toBe(transport !== "http");
    const other = await run(["bench", "probe.short", "--compare", "last.json", ...short]);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining("is a report of probe.echo")]);
  });

  test("refuses a profile that cannot be written before it calls anything", async () => {
    for (const file of ["no-folder/graph.html", "last.json/graph.html"]) {
      const { code, err } = await run(["bench", "probe.short", "--transport", "memory", "--profile", file, ...short]);
      expect([code, err]).toEqual([2, expect.stringContaining("cannot be written")]);
    }
  });

  test("takes a kernel at an address, too, and says what it may not do there", async () => {
    const at = (args: readonly string[]) => run(["bench", ...args, "--url", url, "--json", ...short]);
    expect(JSON.parse((await at(["probe.short"])).out)).toMatchObject({ transport: "http", calls: 40 });
    for (const [args, code] of [
      [["probe.fail", "-d", '{"code":"aborted"}'], "aborted"],
      [["probe.short", "-d", '{"level":"x"}'], "invalid_argument"],
      [["probe.refuse"], "aborted"],
      [["probe.wait", "--timeout", "50"], "deadline_exceeded"],
    ] as const) {
      const failed = await at(args);
      const { code: exit } = await run(["call", ...args, "--url", url, "--json"]);
      expect([failed.code, parseError(failed).code], args.join(" ")).toEqual([exit, code]);
    }
    expect(parseError(await at(["probe.add"]))).toMatchObject({
      code: "usage",
      hint: expect.stringContaining("--yes"),
    });
    expect(JSON.parse((await at(["probe.add", "--yes"])).out)).toMatchObject({ calls: 40, errors: {} });
    for (const wrong of [
      ["probe.ticks"],
      ["probe.short", "--transport", "smoke"],
      ["probe.short", "--transport", "memory"],
      ["probe.short", "--profile"],
      ["probe.short", "--concurrency", "2"],
      ["probe.short", "--compare", "missing.json"],
      ["probe"],
    ])
      expect((await at(wrong)).code, wrong.join(" ")).toBe(2);
  });
});
