/**
 * The page of sessions, which the loop's package brings: a session driven by an agent while the page is open, a plan that waits for the person there, and runs of
 * before, step by step.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  buildPages,
  buildServicePage,
  type ConsoleKernel,
  freshState,
  openBrowser,
  openPage,
  removeFolder,
  seriousViolations,
  startConsole,
} from "./console.ts";

/** Would run if it were not text. */
const hostile = `<img src=x onerror="globalThis.hacked=1">`;

let pages: string;
let browser: Browser;
let running: ConsoleKernel;
let origin: string;
let folder: string;
let stateDir: string;

beforeAll(async () => {
  [pages, browser] = await Promise.all([buildPages(), openBrowser(), buildServicePage("loop")]);
});
afterAll(async () => {
  await browser?.close();
  removeFolder(pages);
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-garden-"));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@a", ...args]);
  git("init", "-q", "-b", "main");
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/door.ts"), "export const open = false;\n");
  git("add", "-A");
  git("commit", "-qm", "begin");
  stateDir = freshState();
  running = await startConsole({
    pages,
    stateDir,
    only: ["loop"],
    services: { loop: { projects: { garden: folder } } },
  });
  origin = `http://127.0.0.1:${running.port}`;
});
afterEach(async () => {
  await running.kernel.close();
  for (const each of [folder, stateDir]) removeFolder(each);
});

/** As an agent calls it. */
const call = async (name: string, body: object = {}) => {
  const response = await fetch(`${origin}/api/loop/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Readonly<Record<string, string>>;
  if (!response.ok) throw new Error(`${name}: ${JSON.stringify(answer)}`);
  return answer;
};

const report = (type: string, payload: object) => call("ingestEvent", { type, payload });

/** A session whose scout has found one thing, with a name that is none. */
const scout = async (): Promise<string> => {
  const { run_id = "" } = await call("startSession", { plan_approval: "hold", step_budget: 20 });
  await call("advance");
  const proposal = {
    category: "fix",
    title: `Open the door ${hostile}`,
    description: `It is shut. ${hostile}`,
    files: ["src/door.ts"],
    allowed_paths: ["src/door.ts"],
    confidence: 90,
    impact_score: 8,
    risk: "low",
  };
  await report("SCOUT_OUTPUT", { proposals: [proposal] });
  await call("advance");
  return run_id;
};

const withPage = async (path: string, work: (page: Page) => Promise<void>, colorScheme: "light" | "dark" = "light") => {
  const context = await browser.newContext({ reducedMotion: "reduce", colorScheme });
  try {
    const { page, misdeeds } = await openPage(context, origin);
    await page.goto(`${origin}/console/x/loop${path}`, { waitUntil: "commit" });
    await work(page);
    expect(await page.evaluate("globalThis.hacked")).toBe(undefined);
    expect(await page.getByRole("main").locator("img").count()).toBe(0);
    expect(misdeeds).toEqual({ errors: [], foreign: [] });
  } finally {
    await context.close();
  }
};

const phase = (page: Page, title: string) => page.getByRole("img", { name: new RegExp(`^It is in ${title}\\.`) });

describe("the page of sessions", () => {
  test("says how to start one where there is none, and shows it when it is started", async () => {
    await withPage("", async (page) => {
      await page.getByText("No session was started here yet").waitFor();
      await page.getByText("fairlead session start").first().waitFor();
      await call("startSession");
      await phase(page, "Scout").waitFor();
      await page.getByText("No ticket yet").waitFor();
    });
  });

  test("follows a session, has a plan approved, and shows what became of its ticket", async () => {
    await withPage("", async (page) => {
      const run = await scout();
      await phase(page, "Plan").waitFor();
      await page.getByRole("region", { name: "In work" }).getByText("Open the door").waitFor();
      await report("PLAN_SUBMITTED", { files: ["src/door.ts"], risk_level: "high" });
      await page.getByText("A plan waits for you").waitFor();
      await page.getByRole("button", { name: "Approve" }).click();
      await phase(page, "Execute").waitFor();
      await expect.poll(() => page.getByText("A plan waits for you").count()).toBe(0);
      await call("advance");
      writeFileSync(join(folder, "src/door.ts"), `export const open = "${hostile}";\n`);
      await report("TICKET_RESULT", { status: "done", changed_files: ["src/door.ts"], summary: hostile });
      await phase(page, "Verify").waitFor();
      await page.getByRole("button", { name: /^Open the door/ }).click();
      await page.getByText("What it had changed at prompt").waitFor();
      await page
        .getByRole("region", { name: /\.patch$/ })
        .getByText("onerror")
        .waitFor();
      await page.getByRole("tab", { name: "Log" }).click();
      await page.getByText("Scout → Next ticket").waitFor();
      await page.getByRole("tab", { name: "Prompts, diffs, artifacts" }).click();
      await page.getByRole("button", { name: /1-scout\.md/ }).click();
      await page.getByRole("region", { name: "prompts/1-scout.md" }).getByText("SCOUT_OUTPUT").first().waitFor();
      expect(page.url()).toContain(`run=${run}`);
      expect(await seriousViolations(page)).toEqual([]);
    });
  });

  test("pauses, resumes, nudges and ends a session, and replays it step by step", async () => {
    const run = await scout();
    await withPage("", async (page) => {
      await phase(page, "Plan").waitFor();
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByText("Its agent is answered WAIT").waitFor();
      expect(await call("advance")).toMatchObject({ next_action: "WAIT" });
      await page.getByRole("button", { name: "Resume" }).click();
      await page.getByRole("button", { name: "Pause" }).waitFor();
      await page.getByLabel("A hint for the next scout").fill(`look here ${hostile}`);
      await page.keyboard.press("Enter");
      await page.getByText("Hints that wait for the next scout: look here").waitFor();
      await page.getByRole("button", { name: "End", exact: true }).click();
      await page.getByRole("button", { name: "Really end it" }).click();
      await phase(page, "Done").waitFor();
      await page.getByRole("region", { name: "Stopped" }).getByText("Open the door").waitFor();
      // By keyboard alone: to the beginning, where nothing was known, and one step on.
      await page.getByLabel("Line of the log that is shown").focus();
      await page.keyboard.press("Home");
      await phase(page, "Scout").waitFor();
      await page.getByText("No ticket yet").waitFor();
      await expect.poll(() => page.url()).toMatch(/at=%221%22/);
      for (const _ of [1, 2, 3]) await page.getByRole("button", { name: "The next step" }).click();
      await phase(page, "Plan").waitFor();
      await page.getByRole("region", { name: "In work" }).getByText("Open the door").waitFor();
      await page.getByRole("button", { name: "To its end" }).click();
      await phase(page, "Done").waitFor();
      expect(page.url()).toContain(run);
    });
  });
});

test.each(["light", "dark"] as const)("in the %s scheme it is usable by all", async (colorScheme) => {
  await scout();
  await report("PLAN_SUBMITTED", { files: ["src/door.ts"], risk_level: "high" });
  for (const tab of ["board", "log", "files"])
    await withPage(
      `?tab=${tab}`,
      async (page) => {
        await page.getByText("A plan waits for you").waitFor();
        await page.getByText("● Live").waitFor();
        expect(await seriousViolations(page)).toEqual([]);
      },
      colorScheme,
    );
});
