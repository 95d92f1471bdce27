/** The page of live objects, which the inspector's package brings: tree, expressions, queries, types and what is pinned, over the world that ships with it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
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

let pages: string;
let browser: Browser;
let running: ConsoleKernel;
let origin: string;
const stateDir = freshState();

beforeAll(async () => {
  [pages, browser] = await Promise.all([buildPages(), openBrowser(), buildServicePage("inspector")]);
  running = await startConsole({ pages, stateDir, only: ["inspector"] });
  origin = `http://127.0.0.1:${running.port}`;
});
afterAll(async () => {
  await browser?.close();
  await running?.kernel.close();
  for (const folder of [pages, stateDir]) removeFolder(folder);
});

const withPage = async (path: string, work: (page: Page) => Promise<void>, colorScheme: "light" | "dark" = "light") => {
  const context = await browser.newContext({ reducedMotion: "reduce", colorScheme });
  try {
    const { page, misdeeds } = await openPage(context, origin);
    await page.goto(`${origin}/console/x/inspector${path}`, { waitUntil: "commit" });
    await work(page);
    expect(await page.evaluate("globalThis.hacked")).toBe(undefined);
    expect(await page.getByRole("main").locator("img:not(.cm-widgetBuffer)").count()).toBe(0);
    // The editor's styles came in by the nonce: the policy has refused nothing.
    expect(misdeeds).toEqual({ errors: [], foreign: [] });
  } finally {
    await context.close();
  }
};

/** The editor, once it has taken the place of the plain field. */
const editor = (page: Page, label: string) => page.locator(`.cm-content[aria-label="${label}"]`);

const write = async (page: Page, label: string, text: string): Promise<void> => {
  await editor(page, label).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
};

test("the tree opens level by level; a value is evaluated and pinned from there", async () => {
  await withPage("", async (page) => {
    const tree = page.getByRole("region", { name: "Objects" });
    await tree.getByRole("button", { name: /^Player / }).click();
    await tree.getByRole("button", { name: "Evaluate Player.RenderName" }).click();
    await page.getByRole("region", { name: "Value" }).getByText('"Exile"').waitFor();
    expect(page.url()).toContain("expr=Player.RenderName");
    await tree.getByRole("button", { name: "Pin Player.Id" }).click();
    const pinned = page
      .getByRole("listitem")
      .filter({ has: page.getByRole("button", { name: "Take Player.Id away" }) });
    await pinned.getByText("1234").waitFor();
    await page.reload({ waitUntil: "commit" });
    await pinned.getByText("1234").waitFor();
    await pinned.getByRole("button", { name: "Take Player.Id away" }).click();
    await page.getByText("Nothing is pinned").waitFor();
    // What has a name of markup is text.
    await write(page, "Expression over the roots", `"<img src=x onerror='globalThis.hacked=1'>"`);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("region", { name: "Value" }).getByText("onerror").waitFor();
  });
});

test("an expression is completed from the live types, and shows where it is wrong", async () => {
  await withPage("", async (page) => {
    await write(page, "Expression over the roots", "Player.GetComponent<Life>().");
    await page.keyboard.press("Control+Space");
    await page.keyboard.type("CurH");
    await page.getByRole("option", { name: /CurHP/ }).click();
    await expect.poll(() => editor(page, "Expression over the roots").textContent()).toMatch(/CurHP$/);
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("Player.Positon");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").getByText("did you mean").waitFor();
    await expect.poll(() => page.locator(".cm-lintRange-error").textContent()).toBe("Positon");
  });
});

test("a query's rows are a table: sorted, opened, and only what is seen is drawn", async () => {
  await withPage("?tab=query&from=Entities&select=new%20%7B%20Id%2C%20RenderName%20%7D&take=1000", async (page) => {
    const rows = page.getByRole("region", { name: "Rows" });
    await rows
      .getByRole("cell", { name: "1234" })
      .or(rows.getByRole("cell", { name: "1236" }))
      .first()
      .waitFor();
    expect(await rows.getByRole("row").count()).toBeLessThan(60);
    await rows.getByRole("button", { name: /^Id/ }).click();
    await rows.getByRole("button", { name: /^Id/ }).click();
    await expect
      .poll(() => rows.getByRole("columnheader", { name: /^Id/ }).getAttribute("aria-sort"))
      .toBe("descending");
    const first = rows.getByRole("row").nth(1);
    expect(Number(await first.getByRole("cell").first().textContent())).toBeGreaterThan(2_000);
    await first.click();
    await page.getByRole("button", { name: "Close the row" }).click();
    await page.getByText("that matched").waitFor();
    await write(page, "Where", "Distanc < 5");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").getByText("did you mean 'Distance'").waitFor();
    await write(page, "Where", "Distance < 0 - 5");
    await page.keyboard.press("Control+Enter");
    await page.getByText("No row matched").waitFor();
    expect(page.url()).toContain("where=Distance");
  });
});

test("a type is found by a part of its name, and a struct has its layout", async () => {
  await withPage("", async (page) => {
    await page.getByLabel("Search types and members").fill("ActorAnimationStage");
    await page.getByRole("button", { name: /ActorAnimationStageOffsets/ }).click();
    await page.getByText("size 56 bytes").waitFor();
    await page.getByRole("img", { name: "3 fields in 56 bytes" }).waitFor();
    await page.getByRole("region", { name: "Members" }).getByText("0x18").waitFor();
  });
});

test.each(["light", "dark"] as const)("in the %s scheme it is usable by all", async (colorScheme) => {
  for (const [path, text] of [
    ["?expr=Player.Position", "Evaluate"],
    ["?tab=query&from=Entities&take=5", "that matched"],
    ["?tab=type&type=MonsterRarity", "Unique"],
  ] as const)
    await withPage(
      path,
      async (page) => {
        await page.getByText(text).first().waitFor();
        await page.getByText("● Live").waitFor();
        if (!path.includes("type=")) await page.locator(".cm-content").first().waitFor();
        expect(await seriousViolations(page)).toEqual([]);
      },
      colorScheme,
    );
});
