/**
 * The page of the rules, which its service's package brings: rolls with their odds, rules and proof; and fights that are kept, with reactions, versions and a
 * log, while somebody else acts in them as well.
 */
import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

let pages: string;
let browser: Browser;
let running: ConsoleKernel;
let origin: string;
const stateDir = freshState();

beforeAll(async () => {
  [pages, browser] = await Promise.all([buildPages(), openBrowser(), buildServicePage("rules")]);
  running = await startConsole({ pages, stateDir, only: ["rules"] });
  origin = `http://127.0.0.1:${running.port}`;
});

afterAll(async () => {
  await browser?.close();
  await running?.kernel.close();
  for (const folder of [pages, stateDir]) removeFolder(folder);
});

/** Opens the page, works with it, and checks that it did nothing else. */
const visit = async (
  search: string,
  work: (page: Page) => Promise<void>,
  colorScheme: "light" | "dark" = "light",
): Promise<void> => {
  const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
  const { page, misdeeds } = await openPage(context, origin);
  await page.goto(`${origin}/console/x/rules${search}`, { waitUntil: "commit" });
  await work(page);
  expect(misdeeds).toEqual({ errors: [], foreign: [] });
  await context.close();
};

/** What a command or a model does beside the page. */
const call = async (procedure: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
  const response = await fetch(`${origin}/api/rules/${procedure}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Readonly<Record<string, unknown>>;
};

const mia = {
  name: "Mia",
  characterClass: "Wizard",
  level: 5,
  maxHP: 27,
  armorClass: 12,
  stats: { intelligence: 18 },
  knownSpells: ["Shield"],
};

/** A goblin acts first, then Mia. */
const startFight = async (): Promise<string> => {
  const { encounter } = await call("startEncounter", { party: [mia], foes: ["Goblin"], dice: { values: [1, 20] } });
  return String(encounter);
};

describe("a roll", () => {
  test("has its exact odds before, its dice and rules after, and a proof; its address shows it again", async () => {
    let address = "";
    await visit("", async (page) => {
      const before = page.getByRole("region", { name: "Before" });
      const after = page.getByRole("region", { name: "After" });
      // +7 against AC 15 hits with 8 and more.
      await before.getByText("13/20", { exact: true }).waitFor();
      await before.getByRole("img", { name: /damage from \d+ to \d+, 13\.10 on average/ }).waitFor();
      await before.getByRole("button", { name: "Table of Against other Armor Classes" }).click();
      await before.getByRole("row", { name: /^25 15\.0 % \d\.\d\d$/ }).waitFor();
      await after.getByText("Nothing is rolled yet").waitFor();
      await page.getByLabel("Dice of the table").fill("15, 6, 3, 4, 2");
      await page.getByRole("button", { name: "Roll", exact: true }).click();
      await after.getByText("22 hits Goblin, AC 15. 19 damage").waitFor();
      expect(await after.getByRole("list", { name: "Dice" }).getByRole("listitem").count()).toBe(5);
      await after.getByText("an enemy of Goblin is within 5 feet of it").first().waitFor();
      await before.getByRole("img", { name: /; 19 was rolled/ }).waitFor();
      await after.getByRole("button", { name: "Replay it" }).click();
      await after.getByRole("status").getByText("Proved").waitFor();
      address = page.url();
    });
    await visit(new URL(address).search, async (page) => {
      await page.getByRole("region", { name: "After" }).getByText("22 hits Goblin, AC 15. 19 damage").waitFor();
    });
  });

  test("is between any two creatures, by the keyboard alone, and says which name nothing has", async () => {
    await visit("", async (page) => {
      const cards = page.getByLabel("What it is");
      await cards.first().selectOption("monster");
      await page.getByLabel("Name", { exact: true }).first().fill("Gobblin");
      await page
        .getByRole("alert")
        .getByText("unknown_monster")
        .or(page.getByText("has no monster Gobblin"))
        .first()
        .waitFor();
      await page.getByLabel("Name", { exact: true }).first().fill("ogre");
      await page
        .getByRole("list", { name: "Monsters that fit" })
        .first()
        .getByRole("button", { name: /^Ogre CR/ })
        .focus();
      await page.keyboard.press("Enter");
      await page.getByText("59 hit points").waitFor();
      await page.getByLabel("Weapon or spell").fill("Greatclub");
      await page.getByLabel("Claims, like Sneak Attack").fill("");
      await page.keyboard.press("Enter");
      await page.getByRole("region", { name: "After" }).getByText("Greatclub Attack").waitFor();
      await page.goBack();
      await page.getByText("Nothing is rolled yet").waitFor();
    });
  });

  test("said in words shows what was chosen beside what is computed", async () => {
    await visit("", async (page) => {
      await page.getByRole("region", { name: "Before" }).getByText("13/20", { exact: true }).waitFor();
      await page.getByLabel("What the player says").fill("I stab the goblin with my rapier.");
      await page.getByRole("button", { name: "Classify and roll" }).click();
      const chosen = page.getByRole("region", { name: "Chosen" });
      await chosen.getByText("resolveAttack").waitFor();
      await chosen.getByText("by the grammar, offline").waitFor();
      await page.getByRole("region", { name: "Computed" }).getByText("Rapier Attack").waitFor();
      await page.getByLabel("What the player says").fill("Hm, well.");
      await page.getByRole("button", { name: "Classify and roll" }).click();
      await chosen.getByText("Nothing was rolled: unsure").waitFor();
    });
  });
});

describe("a fight", () => {
  test("is started, fought turn by turn, taken back and ended, and its log is proved", async () => {
    await visit("?view=fight", async (page) => {
      await page.getByLabel("The party").fill("Aria");
      await page.getByLabel("Their enemies").fill("2 Ogre");
      await page.getByRole("button", { name: "Roll initiative" }).click();
      await page.getByText("version 1", { exact: true }).waitFor();
      expect(page.url()).toContain("fight=fight-");
      await page.getByLabel("Who", { exact: true }).selectOption("aria");
      const isArias = (await page.getByLabel("Who", { exact: true }).locator("option:checked").innerText()).includes(
        "its turn",
      );
      if (isArias) {
        await page.getByText("Mean damage").first().waitFor();
        await page.getByRole("button", { name: "Roll it" }).click();
        await page.getByText("What was rolled").waitFor();
        await page.getByText("0 attacks left").waitFor();
        await page.getByRole("button", { name: "Undo" }).click();
        await page.getByText("1 attack left").waitFor();
      } else {
        await page.getByRole("button", { name: "Roll it" }).click();
        await page.getByRole("alert").getByText("out_of_turn").waitFor();
      }
      await page.getByRole("button", { name: "End turn" }).click();
      await page
        .getByText(/Round \d: the turn of /)
        .first()
        .waitFor();
      await page.getByText("proved by its dice").waitFor();
      await page.getByRole("button", { name: "End fight" }).click();
      await page.getByText("The fight is over").first().waitFor();
      expect(await page.getByRole("button", { name: "End turn" }).isDisabled()).toBe(true);
      await page.getByRole("button", { name: "All fights" }).click();
      await page.getByRole("button", { name: /Aria against 2 Ogre.*over/ }).waitFor();
    });
  });

  test("asks for reactions, also to what somebody else does, and goes on with one", async () => {
    const encounter = await startFight();
    await visit(`?view=fight&fight=${encounter}`, async (page) => {
      await page.getByText("version 1", { exact: true }).waitFor();
      const attack = { encounter, weapon: "Scimitar", target: "mia", dice: { values: [9, 3] } };
      expect(await call("attack", attack)).toMatchObject({ encounter: { version: 2 } });
      await page.getByText("Somebody may react: the action waits").waitFor();
      expect(await page.getByRole("button", { name: "End turn" }).isDisabled()).toBe(true);
      await page.getByRole("button", { name: "Mia: Shield" }).click();
      await page.getByText("Somebody may react: the action waits").waitFor({ state: "detached" });
      await page.getByRole("listitem").filter({ hasText: "Mia" }).getByText("AC 17").first().waitFor();
      await page.getByText("slots 1: 3, 2: 3, 3: 2").waitFor();
    });
  });

  test("says in words that somebody has acted since, and shows the newest", async () => {
    const encounter = await startFight();
    await visit(`?view=fight&fight=${encounter}`, async (page) => {
      await page.getByText("version 1", { exact: true }).waitFor();
      await page.getByText("Mean damage").first().waitFor();
      // The page does not hear of it before it acts itself.
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/rules\.encounterState/, async (route) => {
        await held;
        await route.continue();
      });
      await call("endTurn", { encounter });
      await page.getByRole("button", { name: "End turn" }).click();
      await page.getByRole("alert").getByText("you saw version 1, and it is 2 now").waitFor();
      release();
      await page.getByText("version 2", { exact: true }).waitFor();
      await page.getByText("Round 1: Mia").waitFor();
    });
  });
});

/** A name that would run if it were not text. */
const hostile = `<img src=x onerror="globalThis.hacked=1">`;

test("names of creatures are text, in a roll and in a fight", async () => {
  const sheet = { ...mia, name: hostile, inventory: [`${hostile} Dagger`, "Dagger"] };
  const { encounter } = await call("startEncounter", {
    party: [sheet],
    foes: [{ name: `${hostile} 2`, ac: 10, currentHp: 9, maxHp: 9, attackBonus: 3, damageDice: "1d6", damageBonus: 1 }],
  });
  const search = new URLSearchParams({ actor: JSON.stringify(JSON.stringify(sheet)), weapon: "Dagger", seed: hostile });
  await visit(`?${search}`, async (page) => {
    await page.getByRole("region", { name: "After" }).getByText("Dagger Attack").waitFor();
    await page.goto(`${origin}/console/x/rules?view=fight&fight=${String(encounter)}`, { waitUntil: "commit" });
    await page.getByText("The fight begins").waitFor();
    await page.getByRole("button", { name: "All fights" }).click();
    await page.getByRole("button", { name: /onerror=/ }).waitFor();
    expect(await page.evaluate("globalThis.hacked")).toBe(undefined);
    expect(await page.locator("img").count()).toBe(0);
  });
});

test.each(["light", "dark"] as const)("in the %s scheme it is usable by all", async (colorScheme) => {
  const encounter = await startFight();
  await visit(
    "?seed=seen",
    async (page) => {
      await page.getByRole("region", { name: "After" }).getByText("Rapier Attack").waitFor();
      await page.getByRole("region", { name: "Before" }).getByText("13/20", { exact: true }).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await page.goto(`${origin}/console/x/rules?view=fight&fight=${encounter}`, { waitUntil: "commit" });
      await page.getByText("Mean damage").first().waitFor();
      await page.getByText("proved by its dice").waitFor();
      expect(await seriousViolations(page)).toEqual([]);
    },
    colorScheme,
  );
});

test("a token that reads sees odds and rolls by value, and cannot act", async () => {
  const state = freshState();
  const tokens = [{ name: "reader", sha256: hash("sha256", "reader"), access: ["read"] }];
  writeFileSync(join(state, "tokens.json"), JSON.stringify({ tokens }), { mode: 0o600 });
  const guarded = await startConsole({ pages, stateDir: state, only: ["rules"] });
  const own = `http://127.0.0.1:${guarded.port}`;
  const context = await browser.newContext();
  try {
    const { page } = await openPage(context, own);
    await page.goto(`${own}/console/x/rules?seed=seen`, { waitUntil: "commit" });
    await page.getByLabel("Or give a token of it:").fill("reader");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("region", { name: "After" }).getByText("Rapier Attack").waitFor();
    expect(await page.getByRole("button", { name: "Classify and roll" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Fights" }).click();
    await page.getByText("No fight is kept").waitFor();
    expect(await page.getByRole("button", { name: "Roll initiative" }).isDisabled()).toBe(true);
  } finally {
    await context.close();
    await guarded.kernel.close();
    removeFolder(state);
  }
});
