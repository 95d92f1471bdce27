/**
 * The page of builds, which its service's package brings: a build that is read, computed, looked at in its tree, ranked and changed, by the stand-in of Path of
 * Building; and what is left without it.
 */
import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
import { largeTree, treeNotes } from "./large-tree.ts";

const standIn = fileURLToPath(new URL("../../services/pob/src/testing/engine/stock", import.meta.url));
const engine = { PATH: process.env.PATH ?? "", POB_LUA_ENABLED: "true", POB_FORK_PATH: standIn };

let pages: string;
let browser: Browser;
let running: ConsoleKernel;
let origin: string;
const stateDir = freshState();

beforeAll(async () => {
  [pages, browser] = await Promise.all([buildPages(), openBrowser(), buildServicePage("pob")]);
  running = await startConsole({ pages, stateDir, only: ["pob"], env: engine });
  origin = `http://127.0.0.1:${running.port}`;
});

afterAll(async () => {
  await browser?.close();
  await running?.kernel.close();
  for (const folder of [pages, stateDir]) removeFolder(folder);
});

/** Opens the page of a session of its own, works with it, and checks that it did nothing else. */
const visit = async (
  session: string,
  work: (page: Page) => Promise<void>,
  { colorScheme = "light", at = origin }: { colorScheme?: "light" | "dark"; at?: string } = {},
): Promise<void> => {
  const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
  const { page, misdeeds } = await openPage(context, at);
  await page.goto(`${at}/console/x/pob?session=${session}`, { waitUntil: "commit" });
  await work(page);
  expect(misdeeds).toEqual({ errors: [], foreign: [] });
  await context.close();
};

interface BuildText {
  readonly notes?: string;
  readonly nodes?: string;
  readonly item?: string;
  readonly label?: string;
  readonly classId?: number;
}

const buildText = ({
  notes = "",
  nodes = "1,10,11",
  item = "Test Wand",
  label = "main",
  classId = 3,
}: BuildText = {}) =>
  `<PathOfBuilding>
<Build level="20" targetVersion="3_0" className="Witch" ascendClassName="None" mainSocketGroup="1"><PlayerStat stat="Life" value="301.5"/></Build>
<Tree activeSpec="1"><Spec treeVersion="3_28" classId="${classId}" ascendClassId="0" nodes="${nodes}"/></Tree>
<Skills activeSkillSet="1"><SkillSet id="1"><Skill enabled="true" slot="Body Armour" label="${label}"><Gem nameSpec="Arc" level="10" quality="0" enabled="true"/></Skill></SkillSet></Skills>
<Items activeItemSet="1"><Item id="1">
Rarity: RARE
${item}
Driftwood Wand
30% increased Spell Damage
</Item><ItemSet id="1"><Slot name="Weapon 1" itemId="1"/></ItemSet></Items>
<Config><Input name="enemyIsBoss" string="None"/></Config>
<Notes>${notes}</Notes>
</PathOfBuilding>`;

/** As a share code: a text of thousands of lines is long in coming into a field. */
const load = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel("Paste a share code").fill(deflateSync(text).toString("base64url"));
  await page.getByRole("button", { name: "Load and compute" }).click();
  await page.getByText("● Loaded").waitFor();
};

const part = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Parts of the build" }).getByRole("button", { name });

describe("a build", () => {
  test("is loaded, its nodes are looked at and planned, a change is tried, made, seen in the stats, and taken back", async () => {
    await visit("main", async (page) => {
      await page.getByText("No build is loaded").waitFor();
      await load(page, buildText());
      await page.getByRole("row", { name: /^Hit DPS by spells 43\.8\/s 43\.8\/s/ }).waitFor();
      await part(page, "Items and gems").click();
      await page.locator("summary").filter({ hasText: "Test Wand" }).waitFor();
      await part(page, "Passive tree").click();
      await page.getByLabel("Find a node by its name").fill("deep");
      await page.getByRole("button", { name: "Show", exact: true }).click();
      await page.getByText("+40 mana").waitFor();
      expect(page.url()).toMatch(/node=(?:%22)?12/);
      await page.getByRole("button", { name: "Plan to take it" }).click();
      await part(page, "What if").click();
      await page
        .getByLabel("The item as the game copies it")
        .fill("Rarity: RARE\nNew Wand\nDriftwood Wand\n60% increased Spell Damage\n+7 to nothing");
      await page.getByLabel("Slot of an item").fill("Weapon 1");
      await page.getByRole("button", { name: "Try it" }).click();
      await page
        .getByRole("table", { name: "Stats that change" })
        .getByRole("row", { name: /^TotalDPS 43\.8 58\.8 \+15/ })
        .waitFor();
      await page.getByText("unknown line").waitFor();
      await page.getByRole("button", { name: "Make the change" }).click();
      await page.getByText("Nothing is tried yet").waitFor();
      await part(page, "Stats").click();
      await page.getByRole("row", { name: /^Hit DPS by spells 43\.8\/s 58\.8\/s better/ }).waitFor();
      await part(page, "What if").click();
      await page.getByRole("button", { name: "Undo the last one" }).click();
      await page.getByText("Taken back").waitFor();
      await part(page, "Stats").click();
      await page.getByRole("row", { name: /^Hit DPS by spells 43\.8\/s 43\.8\/s/ }).waitFor();
    });
  });

  test("has its nodes ranked with progress, and the ranking is cancelled", async () => {
    await visit("ranked", async (page) => {
      await load(page, buildText({ classId: 1, nodes: "2,30" }));
      await part(page, "Passive tree").click();
      await page.getByRole("button", { name: "Rank nodes by damage" }).click();
      // A node of the stand-in never ends: the ranking shows how far it is, and goes on until it is stopped.
      await page.getByText(/(?:1[0-9]{2}|2[0-9]{2}) of 2\d\d nodes are tried/).waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Rank nodes by damage" }).waitFor();
      // The process is free again.
      await part(page, "What if").click();
      await page.getByLabel("Level").fill("30");
      await page.getByRole("button", { name: "Try it" }).click();
      await page.getByRole("table", { name: "Stats that change" }).getByRole("row", { name: /^Life/ }).waitFor();
    });
  });
});

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly dur?: number;
}

test("a tree of thousands of nodes is drawn, moved and zoomed with at most 8 ms of script a frame", async () => {
  const nodes = largeTree();
  expect(nodes.length).toBeGreaterThan(3_000);
  await visit("large", async (page) => {
    await load(page, buildText({ notes: treeNotes(nodes), nodes: "1,5000,5001,5002" }));
    await part(page, "Passive tree").click();
    const canvas = page.getByRole("img", { name: `The passive tree, ${nodes.length + 2} nodes, 4 taken` });
    await canvas.waitFor();
    await canvas.hover();
    const session = await page.context().newCDPSession(page);
    const events: TraceEvent[] = [];
    session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
    await session.send("Tracing.start", { categories: "devtools.timeline", transferMode: "ReportEvents" });
    for (let step = 0; step < 20; step += 1) {
      await page.mouse.wheel(0, step < 10 ? -120 : 120);
      await page.keyboard.press("Tab");
    }
    await canvas.focus();
    for (const key of ["ArrowLeft", "ArrowUp", "+", "+", "ArrowRight", "-", "0"]) await page.keyboard.press(key);
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
    const ended = new Promise<void>((resolve) => session.once("Tracing.tracingComplete", () => resolve()));
    await session.send("Tracing.end");
    await ended;
    const frames = events
      .filter(({ name, ph }) => name === "FireAnimationFrame" && ph === "X")
      .map(({ dur = 0 }) => dur / 1_000);
    const sorted = frames.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY;
    console.info(
      `script of a frame: ${frames.length} frames, median ${median.toFixed(2)} ms, 95 % within ${sorted[Math.floor(sorted.length * 0.95)]?.toFixed(2)} ms, longest ${sorted.at(-1)?.toFixed(2)} ms`,
    );
    expect(frames.length).toBeGreaterThan(10);
    // A frame that the machine interrupts is longer; half of them are not.
    expect(median).toBeLessThan(8);
  });
});

/** A text that would run if it were not text. */
const hostile = `<img src=x onerror="globalThis.hacked=1">`;
const escaped = "&lt;img src=x onerror=&quot;globalThis.hacked=1&quot;&gt;";

test("names of items, labels, nodes and notes are text", async () => {
  const notes = `${escaped}\n${treeNotes([
    { id: 5, type: "Notable", name: escaped, links: [1], x: 100, y: 0, center: [0, 0], gives: "inc=5" },
  ])}`;
  await visit("hostile", async (page) => {
    await load(page, buildText({ item: escaped, label: escaped, notes, nodes: "1,5" }));
    await page.getByRole("region", { name: "What the build says" }).getByText(hostile).first().waitFor();
    await part(page, "Items and gems").click();
    await page.getByText("Skill groups: 1").waitFor();
    await part(page, "Passive tree").click();
    await page.getByLabel("Find a node by its name").fill("img");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("heading", { name: /onerror/ }).waitFor();
    expect(await page.evaluate("globalThis.hacked")).toBe(undefined);
    expect(await page.locator("main img").count()).toBe(0);
  });
});

test("without Path of Building a build is read, and the page says how to turn it on", async () => {
  const state = freshState();
  const off = await startConsole({ pages, stateDir: state, only: ["pob"], env: { PATH: process.env.PATH ?? "" } });
  try {
    const work = async (page: Page): Promise<void> => {
      await page.getByText("Computing is switched off").waitFor();
      await page.getByLabel("How to turn it on").getByText("POB_LUA_ENABLED=true").waitFor();
      expect(await page.getByRole("button", { name: "Load and compute" }).count()).toBe(0);
      await page.getByLabel("Paste a share code").fill("nothing of the kind");
      await page.getByRole("button", { name: "Read it" }).click();
      await page.getByRole("alert").getByText("bad_build").or(page.getByText("cannot be read")).first().waitFor();
      await page.getByLabel("Paste a share code").fill(buildText());
      await page.getByRole("button", { name: "Read it" }).click();
      await page.getByText("Level 20 Witch").waitFor();
      await page.getByText("301.5", { exact: true }).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
    };
    await visit("off", work, { at: `http://127.0.0.1:${off.port}` });
  } finally {
    await off.kernel.close();
    removeFolder(state);
  }
});

test("a token that reads sees, and cannot act", async () => {
  const state = freshState();
  const tokens = [{ name: "reader", sha256: hash("sha256", "reader"), access: ["read"] }];
  writeFileSync(join(state, "tokens.json"), JSON.stringify({ tokens }), { mode: 0o600 });
  const guarded = await startConsole({ pages, stateDir: state, only: ["pob"], env: engine });
  try {
    const work = async (page: Page): Promise<void> => {
      await page.getByLabel("Or give a token of it:").fill("reader");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("Paste a share code").fill(buildText());
      await page.getByRole("button", { name: "Read it" }).click();
      await page.getByText("Level 20 Witch").waitFor();
      expect(await page.getByRole("button", { name: "Load and compute" }).isDisabled()).toBe(true);
    };
    await visit("read", work, { at: `http://127.0.0.1:${guarded.port}` });
  } finally {
    await guarded.kernel.close();
    removeFolder(state);
  }
});

test.each(["light", "dark"] as const)("in the %s scheme it is usable by all", async (colorScheme) => {
  await visit(
    `axe-${colorScheme}`,
    async (page) => {
      await load(page, buildText());
      expect(await seriousViolations(page)).toEqual([]);
      for (const name of ["Passive tree", "Items and gems", "What if"]) {
        await part(page, name).click();
        await part(page, name).and(page.locator("[aria-current=page]")).waitFor();
        if (name === "Passive tree") await page.getByRole("img", { name: /^The passive tree/ }).waitFor();
        expect(await seriousViolations(page)).toEqual([]);
      }
    },
    { colorScheme },
  );
});
