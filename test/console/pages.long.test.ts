/** Each page of the console does its main job, in a browser, without a request to anywhere else and without a serious fault of accessibility. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  buildPages,
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
let context: BrowserContext;
let running: ConsoleKernel;
let origin: string;
const stateDir = freshState();

beforeAll(async () => {
  [pages, browser] = await Promise.all([buildPages(), openBrowser()]);
  running = await startConsole({ pages, stateDir });
  origin = `http://127.0.0.1:${running.port}`;
  context = await browser.newContext();
});

afterAll(async () => {
  await browser?.close();
  await running?.kernel.close();
  for (const folder of [pages, stateDir]) removeFolder(folder);
});

/** Opens a page, does what it is for, and checks that it did nothing else. */
const visit = async (path: string, work: (page: Awaited<ReturnType<typeof openPage>>["page"]) => Promise<void>) => {
  const { page, misdeeds } = await openPage(context, origin);
  await page.goto(`${origin}/console${path}`, { waitUntil: "commit" });
  await work(page);
  expect(misdeeds).toEqual({ errors: [], foreign: [] });
  await page.close();
};

const call = (path: string, body: object): Promise<Response> =>
  fetch(`${origin}/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("the overview", () => {
  test("shows each service, and what happens when it happens", async () => {
    await visit("", async (page) => {
      for (const name of ["rules", "connections", "kernel"])
        await page
          .getByRole("main")
          .getByRole("link", { name: new RegExp(`^${name} `) })
          .waitFor();
      await page.getByText("● Live").waitFor();
      running.kernel.events.emit("service.state", "rules", { state: "Draining" });
      await page.getByText("finishes its calls and stops").first().waitFor();
      running.kernel.events.emit("breaker.state", "rules", { procedure: "rules.roll", state: "Open" });
      await page.getByText("the breaker of rules.roll is Open").waitFor();
    });
  });
});

describe("services", () => {
  test("are a tree, and start again by a button", async () => {
    const status = async () => {
      const { services } = (await (await call("kernel/services", {})).json()) as {
        services: readonly { id: string; state: string; since: string }[];
      };
      return services.find(({ id }) => id === "rules");
    };
    const before = await status();
    await visit("/services", async (page) => {
      await page.getByRole("button", { name: "Restart rules" }).click();
      await expect.poll(async () => (await status())?.since).not.toBe(before?.since);
      await expect.poll(async () => (await status())?.state).toBe("Ready");
      await page.getByRole("main").getByRole("link", { name: "rules" }).click();
      await page.getByRole("cell", { name: /^rules\.roll / }).waitFor();
      await page.getByText("What it reports of itself").waitFor();
    });
  });
});

describe("contracts", () => {
  test("are documents, with the call as others write it", async () => {
    await visit("/contracts", async (page) => {
      await page.getByLabel("Search procedures").fill("describe");
      await page.getByRole("link", { name: "describe" }).click();
      await page.getByText("Id of a service, like `rules`.").first().waitFor();
      await page.getByText("When the service has no procedure of that name.").waitFor();
      await page.getByRole("tab", { name: "curl" }).click();
      await page.getByLabel("The call in curl").getByText("/api/kernel/describe").waitFor();
      expect(page.url()).toBe(`${origin}/console/contracts/kernel.describe`);
      await page.getByRole("tab", { name: "MCP" }).click();
      await page.getByLabel("The call in MCP").getByText('"kernel_describe"').waitFor();
      await page.getByText("As a model sees it").waitFor();
      await page.getByText(/^about \d+ tokens$/).waitFor();
      await page.getByLabel("Arguments of the tool").getByText('"procedure"').waitFor();
    });
  });
});

describe("the playground", () => {
  test("keeps form and JSON in step, runs, and shows answers and errors", async () => {
    await visit("/playground?procedure=kernel.describe", async (page) => {
      await page.getByText("As JSON").click();
      const json = page.getByLabel("Input as JSON");
      await page.getByLabel("service", { exact: true }).fill("rules");
      expect(JSON.parse(await json.inputValue())).toMatchObject({ service: "rules" });
      await json.fill('{"service":"nope"}');
      expect(await page.getByLabel("service", { exact: true }).inputValue()).toBe("nope");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("alert").getByText("unknown_service").waitFor();
      await json.fill('{"service":');
      await expect.poll(() => page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true);
      await json.fill('{"service":"kernel","procedure":"whoami"}');
      await page.keyboard.press("Control+Enter");
      await page.getByText("1 items").waitFor();
      await page.getByRole("tab", { name: "JSON" }).click();
      await page.getByLabel("Answer as JSON").waitFor();
      await page.getByText("Calls of this browser").waitFor();
    });
  });
});

describe("an answer", () => {
  test("is shown as its contract says, kept, and compared with the next", async () => {
    await visit("/playground?procedure=rules.odds", async (page) => {
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("tab", { name: "View", selected: true }).waitFor();
      await page.getByRole("rowheader", { name: "critical hit", exact: true }).waitFor();
      await page.getByRole("button", { name: "Keep to compare" }).click();
      await page.getByText("As JSON").click();
      const json = page.getByLabel("Input as JSON");
      await json.fill((await json.inputValue()).replace(/"ac": \d+/g, '"ac": 25'));
      await page.keyboard.press("Control+Enter");
      await page.getByText("Beside the answer that you kept").waitFor();
      await page.getByRole("rowheader", { name: "/success/fraction" }).waitFor();
      await page.getByRole("button", { name: "Forget it" }).click();
      await page.getByText("Beside the answer that you kept").waitFor({ state: "detached" });
    });
  });

  test("comes from a call that is saved under a name, and opened again", async () => {
    await visit("/playground?procedure=kernel.describe", async (page) => {
      await page.getByText("As JSON").click();
      await page.getByLabel("Input as JSON").fill('{"service":"kernel","procedure":"whoami"}');
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByLabel("Name of the saved call").fill("who am I");
      await page.keyboard.press("Enter");
      await page.goto(`${origin}/console/playground`, { waitUntil: "commit" });
      await page.getByRole("button", { name: /^who am I kernel\.describe/ }).click();
      await expect.poll(() => page.getByLabel("procedure", { exact: true }).inputValue()).toBe("whoami");
      await page.getByRole("button", { name: "Remove who am I" }).click();
      await page.getByText("Saved calls").waitFor({ state: "detached" });
    });
  });
});

describe("calls", () => {
  test("that failed for one reason are one row", async () => {
    await visit("/calls", async (page) => {
      await page.getByText("● Live").waitFor();
      for (const service of ["no1", "no2", "no3"]) await call("kernel/describe", { service });
      await page.getByLabel("Filter of calls").fill("proc:kernel.describe reason:unknown_service");
      await page.getByRole("button", { name: "Failures together" }).click();
      await page.getByRole("button", { name: /unknown_service kernel\.describe \d+ times one caller/ }).click();
      await page.getByText("Trace", { exact: true }).waitFor();
    });
  });

  test("are listed as they end, and filtered", async () => {
    await visit("/calls", async (page) => {
      await page.getByText("● Live").waitFor();
      await call("rules/figures", {});
      await call("kernel/describe", { service: "nope" });
      await page
        .getByRole("button", { name: /kernel\.describe.*not_found/ })
        .first()
        .waitFor();
      await page.getByLabel("Filter of calls").fill("svc:rules status:error");
      await page
        .getByRole("button", { name: /rules\.figures.*invalid_argument/ })
        .first()
        .click();
      expect(await page.getByRole("button", { name: /kernel\.describe/ }).count()).toBe(0);
      await page.getByText("it did not wait for a place").waitFor();
      await page.getByText("Trace", { exact: true }).waitFor();
      await page.getByLabel("Filter of calls").fill("dur:soon");
      await page.getByText("dur: takes a duration").waitFor();
    });
  });

  test("may be thousands at once: the page says what it skipped, and goes on", async () => {
    await visit("/calls", async (page) => {
      await page.getByText("● Live").waitFor();
      for (let at = 0; at < 10_000; at += 1)
        running.kernel.events.emit("call", "rules", {
          procedure: `rules.flood`,
          transport: "memory",
          outcome: "ok",
          milliseconds: 1,
        });
      await page.getByText(/\d+ events skipped/).waitFor();
      running.kernel.events.emit("call", "rules", {
        procedure: "rules.after",
        transport: "memory",
        outcome: "ok",
        milliseconds: 1,
      });
      await page.getByRole("button", { name: /rules\.after/ }).waitFor();
      expect(await page.getByRole("main").getByRole("listitem").count()).toBeLessThan(100);
    });
  });
});

describe("the palette", () => {
  test("goes to a procedure by a few letters and the keyboard alone", async () => {
    await visit("", async (page) => {
      await page.getByText("● Live").waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search" }).fill("kernel.whoami");
      await page.getByRole("option", { name: /kernel\.whoami/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("article").getByText("Shows who the caller is to this kernel").waitFor();
    });
  });
});

/** Presses Tab until what has the focus has this name. */
const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  const focused = `((at) => [at.getAttribute("aria-label") ?? "", at.textContent].join(" ").trim())(document.activeElement)`;
  for (let presses = 0; presses < 300; presses += 1) {
    await page.keyboard.press("Tab");
    if (name.test(String(await page.evaluate(focused)))) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
};

describe("with the keyboard alone", () => {
  test("a service is restarted", async () => {
    const since = async () =>
      (
        (await (await call("kernel/services", {})).json()) as { services: readonly { id: string; since: string }[] }
      ).services.find(({ id }) => id === "rules")?.since;
    const before = await since();
    await visit("/services", async (page) => {
      await page.getByRole("button", { name: "Restart rules" }).waitFor();
      await tabTo(page, /^Restart rules/);
      await page.keyboard.press("Enter");
      await expect.poll(since).not.toBe(before);
    });
  });

  test("a procedure is found, read, tried and its call looked at", async () => {
    await visit("", async (page) => {
      await page.getByText("● Live").waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search" }).waitFor();
      await page.keyboard.type("rules.odds");
      await page.getByRole("option", { name: /rules\.odds/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("Call it from").waitFor();
      await tabTo(page, /^Try it$/);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Run", exact: true }).waitFor();
      await page.keyboard.press("Control+Enter");
      await page.getByRole("status").getByText("Done").waitFor();
      await tabTo(page, /^View$/);
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.getByRole("tab", { name: "Tree", selected: true }).waitFor();
      await tabTo(page, /^Calls$/);
      await page.keyboard.press("Enter");
      await page.getByLabel("Filter of calls").waitFor();
      await tabTo(page, /^Filter of calls/);
      await page.keyboard.type("proc:rules.odds");
      await tabTo(page, /^rules\.odds/);
      await page.keyboard.press("Enter");
      await page.getByText("Trace", { exact: true }).waitFor();
    });
  });
});

test.each(["", "/services", "/calls", "/contracts/kernel.describe", "/playground?procedure=kernel.describe"])(
  "%s is usable at the width of a phone",
  async (path) => {
    const phone = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true });
    const { page, misdeeds } = await openPage(phone, origin);
    await page.goto(`${origin}/console${path}`, { waitUntil: "commit" });
    await page.getByText("● Live").waitFor();
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    // Nothing is wider than the screen but what scrolls by itself.
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    expect(await seriousViolations(page)).toEqual([]);
    expect(misdeeds).toEqual({ errors: [], foreign: [] });
    await phone.close();
  },
);

/** Texts that would run if they were not text. */
const hostile = `"><img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>`;

test("texts of services are text, in every list that shows them", async () => {
  const { events } = running.kernel;
  await visit("", async (page) => {
    await page.getByText("● Live").waitFor();
    events.emit("run.state", hostile, { procedure: hostile, state: hostile });
    events.emit(hostile, "rules", { [hostile]: hostile });
    events.emit("log", "rules", { level: "warn", message: hostile, [hostile]: { deep: hostile } });
    events.emit("call", hostile, {
      procedure: hostile,
      outcome: hostile,
      reason: hostile,
      transport: hostile,
      principal: hostile,
      milliseconds: 1,
    });
    await page.getByText(`run ${hostile} is`).waitFor();
    await page.getByRole("link", { name: "Logs" }).click();
    await page.getByText("globalThis.hacked=1").first().waitFor();
    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await page
      .getByRole("button", { name: /hacked/ })
      .first()
      .click();
    expect(await page.evaluate("globalThis.hacked")).toBe(undefined);
    expect(await page.locator("img, main script").count()).toBe(0);
  });
});

describe.each(["light", "dark"] as const)("in the %s scheme", (colorScheme) => {
  test.each([
    ["", "● Live"],
    ["/services", "Restart rules"],
    ["/services/rules", "What it reports of itself"],
    ["/contracts/kernel.describe", "Call it from"],
    ["/playground?procedure=kernel.describe", "Copy as fairlead command"],
    ["/calls", "Pause"],
    ["/logs", "From level"],
    ["/metrics", "Event loop lag, p99"],
    ["/clients", "Give an MCP client these tools"],
    ["/access", "From where"],
    ["/doctor", "kernel"],
  ])("%s has no serious fault of accessibility", async (path, text) => {
    const schemed = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
    const { page, misdeeds } = await openPage(schemed, origin);
    await page.goto(`${origin}/console${path}`, { waitUntil: "commit" });
    await page.getByText(text).first().waitFor();
    await page.getByText("● Live").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(misdeeds).toEqual({ errors: [], foreign: [] });
    await schemed.close();
  });
});
