/**
 * The public MCP conformance suite, run as its own command line against the real transport behind the real guard.
 *
 * A run's exit code counts the scenarios that a revision requires; the optional Tasks extension and a scenario that needs resumable
 * streams run too and are not counted. The numbers of passed checks are a floor, so that a scenario that silently stops running shows.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { localPrincipal } from "@fairlead/kernel";
import * as Effect from "effect/Effect";
import { afterAll, beforeAll, expect, test } from "vitest";
// @boundaries-ignore the test looks inside the kernel
import { OpenStreams } from "../../../kernel/src/server/open-streams.ts";
// @boundaries-ignore the test looks inside the kernel
import { type HttpServer, makeServer } from "../../../kernel/src/server/server.ts";
import { fixtureMount } from "./fixture.ts";

const suite = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);
const results = mkdtempSync(join(tmpdir(), "fairlead-conformance-"));

let server: HttpServer;
let url: string;

beforeAll(async () => {
  const streams = new OpenStreams();
  const rules = { hosts: [], origins: [], authenticate: () => localPrincipal };
  server = makeServer({ mounts: [fixtureMount(streams)], rules, log: () => {}, times: { lag: 60_000 } });
  url = (await Effect.runPromise(server.listen({ port: 0, host: "127.0.0.1" }))).url;
});

afterAll(async () => {
  await Effect.runPromise(server.close);
  rmSync(results, { recursive: true });
});

interface Run {
  readonly exit: number;
  readonly output: string;
  readonly passed: number;
  /** Scenarios with a failed check. */
  readonly failing: readonly string[];
}

/** Needs a tool that asks for mirrored headers, which only the endpoint of all tools has. */
const mirrored = "http-custom-header-server-validation";

const run = (at: string, selection: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    const args = [suite, "server", "--url", `${url}${at}`, ...selection, "-o", results];
    const child = execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout, stderr) => {
      const summary = stdout.slice(Math.max(0, stdout.indexOf("=== SUMMARY ===")));
      resolve({
        exit: child.exitCode ?? -1,
        output: summary + stderr,
        passed: Number(/(?:Total|Passed): (\d+)/.exec(summary)?.[1] ?? 0),
        failing: [...summary.matchAll(/^✗ ([\w-]+):/gm)].map(([, name]) => name ?? ""),
      });
    });
  });

test.each([
  { name: "2025-06-18", at: "/mcp/suite", selection: ["--spec-version", "2025-06-18"], floor: 56 },
  { name: "2025-11-25", at: "/mcp/suite", selection: ["--requirements", "2025-11-25"], floor: 81 },
  { name: "2026-07-28", at: "/mcp/suite", selection: ["--requirements", "2026-07-28"], floor: 155 },
  { name: "mirrored headers", at: "/mcp", selection: ["--scenario", mirrored], floor: 10 },
])("$name", async ({ at, selection, floor }) => {
  const { exit, output, passed, failing } = await run(at, selection);
  expect(exit, output).toBe(0);
  expect(failing.filter((name) => !name.startsWith("tasks-") && name !== mirrored)).toEqual([]);
  expect(passed, output).toBeGreaterThanOrEqual(floor);
});
