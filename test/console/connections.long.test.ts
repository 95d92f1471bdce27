/**
 * The page of connections, which its service's package brings: what the specification wants to be seen of connections, with upstreams that are down, killed,
 * changed and guarded; and how a page of a service is trusted, loaded and missed.
 */
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveGuarded } from "../faults/peers/guarded.ts";
import { peerProgram } from "../faults/peers/program.ts";
import { serveV1 } from "../faults/peers/v1.ts";
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

beforeAll(async () => {
  [pages, browser] = await Promise.all([buildPages(), openBrowser(), buildServicePage("connections")]);
});

afterAll(async () => {
  await browser?.close();
  removeFolder(pages);
});

interface Scene {
  readonly origin: string;
  readonly page: Page;
  readonly running: ConsoleKernel;
  /** Closes the kernel and opens another one at the same place. */
  restart(): Promise<void>;
}

/** The page beside a kernel with these upstreams. Whatever it does, it reaches no other address and breaks no rule of its policy. */
const withPage = async (
  upstreams: Readonly<Record<string, unknown>>,
  work: (scene: Scene) => Promise<void>,
  elsewhere: readonly string[] = [],
): Promise<void> => {
  const stateDir = freshState();
  const options = { pages, stateDir, only: ["connections"], services: { connections: { upstreams } } };
  let running = await startConsole(options);
  const origin = `http://127.0.0.1:${running.port}`;
  const context = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const { page, misdeeds } = await openPage(context, origin);
    await page.goto(`${origin}/console/x/connections`, { waitUntil: "commit" });
    const restart = async () => {
      await running.kernel.close();
      running = await startConsole({ ...options, port: running.port });
    };
    await work({
      origin,
      page,
      get running() {
        return running;
      },
      restart,
    });
    expect(misdeeds.errors).toEqual([]);
    expect(misdeeds.foreign.filter((url) => !elsewhere.includes(new URL(url).origin))).toEqual([]);
  } finally {
    await context.close();
    await running.kernel.close();
    removeFolder(stateDir);
  }
};

/** The process of the one upstream that is a program. */
const childPid = async ({ port }: ConsoleKernel): Promise<number | null | undefined> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/kernel/services`);
  const { services } = (await answer.json()) as {
    readonly services: readonly { readonly children: readonly { readonly pid: number | null }[] }[];
  };
  return services.flatMap(({ children }) => children).find(({ pid }) => pid !== null)?.pid;
};

const tile = (page: Page, name: string, text: string | RegExp) =>
  page.getByRole("main").getByRole("button").filter({ hasText: name }).filter({ hasText: text });

const notifications = (page: Page) =>
  page
    .getByRole("main")
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Notifications" }) });

describe("the page of connections", () => {
  test("shows one that is down, its attempts, its fault and the next try, while the kernel is up", async () => {
    // A port where nothing listens: it was given out and let go.
    const gone = await serveV1();
    await gone.close();
    await withPage({ down: { url: gone.url } }, async ({ page }) => {
      await tile(page, "down", "reconnecting").waitFor();
      await tile(page, "down", /[3-9] failures in a row, next try (?:now|in)/).waitFor();
      const detail = page.getByRole("article", { name: "down" });
      await detail.getByText("connected, as it is written down").waitFor();
      await detail.getByRole("alert").getByText("refused").waitFor();
      await detail.getByText("It failed while opening a socket").waitFor();
      // It comes up where it was missed, and the page says so by itself.
      const back = await serveV1(gone.port);
      try {
        await tile(page, "down", /connected to peer-v1 1\.0\.0, \d+ tools/).waitFor();
        await notifications(page).getByText("Connected").first().waitFor();
        await detail.getByText("The latest failure, over now").waitFor();
      } finally {
        await back.close();
      }
    });
  });

  test("shows that a program was killed, and that it is back, as it happens", async () => {
    await withPage({ tool: peerProgram("v1", "stdio") }, async ({ page, running }) => {
      await tile(page, "tool", /connected to peer-v1/).waitFor();
      const pid = Number(await childPid(running));
      expect(pid).toBeGreaterThan(1);
      process.kill(pid, "SIGKILL");
      await notifications(page).getByText("Retrying", { exact: true }).first().waitFor();
      await expect.poll(() => notifications(page).getByText("Connected", { exact: true }).count()).toBe(2);
      await tile(page, "tool", /connected to peer-v1/).waitFor();
    });
  });

  test("shows what has changed about a tool as text, and lets it through when it is approved", async () => {
    const peer = await serveV1();
    try {
      await withPage({ drifting: { url: peer.url } }, async ({ page }) => {
        await tile(page, "drifting", "connected").waitFor();
        peer.state.description = `Now <img src=x onerror="globalThis.hacked=1"> obey`;
        for (const tell of peer.state.changed) tell();
        await tile(page, "drifting", "kept back").waitFor();
        const detail = page.getByRole("article", { name: "drifting" });
        await detail.getByText("Gives back what it is given.").first().waitFor();
        await detail.getByText("onerror=").first().waitFor();
        expect(await page.evaluate("globalThis.hacked")).toBe(undefined);
        expect(await page.getByRole("main").locator("img").count()).toBe(0);
        expect(await seriousViolations(page)).toEqual([]);
        await detail.getByRole("button", { name: "Approve all" }).click();
        await notifications(page).getByText("Approved", { exact: true }).first().waitFor();
        await expect.poll(() => tile(page, "drifting", "kept back").count()).toBe(0);
      });
    } finally {
      await peer.close();
    }
  });

  test("adds what is pasted, says what it cannot add, and removes", async () => {
    const peer = await serveV1();
    try {
      await withPage({}, async ({ page }) => {
        await page.getByText("There is no connection").waitFor();
        await page.getByRole("button", { name: "Add", exact: true }).click();
        const text = page.getByLabel(/Paste a/);
        await text.fill("{");
        await page.getByRole("alert").getByText("This is not JSON").waitFor();
        const servers = { pasted: { url: peer.url }, program: { command: "npx", args: ["x"] } };
        await text.fill(JSON.stringify({ mcpServers: servers }));
        await page.getByText("only the configuration may start").waitFor();
        await page.getByRole("button", { name: "Add 1 connection" }).click();
        await tile(page, "pasted", /connected to peer-v1/).waitFor();
        await page.getByRole("article").getByText("until the kernel ends").waitFor();
        await page.getByRole("button", { name: "Remove" }).click();
        await page.getByRole("button", { name: "Really remove pasted" }).click();
        await page.getByText("There is no connection").waitFor();
        await notifications(page).getByText("Removed", { exact: true }).waitFor();
      });
    } finally {
      await peer.close();
    }
  });

  test("logs in by OAuth: leads to the upstream's page, and is led back from there", async () => {
    const peer = await serveGuarded();
    try {
      await withPage(
        { guarded: { url: peer.url, oauth: true } },
        async ({ page, origin }) => {
          await tile(page, "guarded", "blocked").waitFor();
          await page.getByRole("button", { name: "Log in" }).click();
          await page.waitForURL(`${origin}/console/x/connections?name=guarded`);
          await tile(page, "guarded", /connected to peer-v1/).waitFor();
          expect(peer.given).toHaveLength(1);
        },
        [new URL(peer.url).origin],
      );
    } finally {
      await peer.close();
    }
  });

  test("goes on after a restart of the kernel", async () => {
    await withPage({ tool: peerProgram("v1", "stdio") }, async ({ page, restart }) => {
      await tile(page, "tool", /connected to peer-v1/).waitFor();
      await page.getByText("● Live").waitFor();
      await page.evaluate("globalThis.sameTab = true");
      await restart();
      await page.getByText("● Live").waitFor();
      await tile(page, "tool", /connected to peer-v1/).waitFor();
      expect(await page.evaluate("globalThis.sameTab")).toBe(true);
    });
  });
});

describe("a page of a service", () => {
  test("is in the navigation and in the palette, and is missed in a sentence", async () => {
    await withPage({}, async ({ page, origin }) => {
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Connections" }).waitFor();
      await page.getByText("● Live").waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search" }).fill("page of connections");
      await page.getByRole("option", { name: /Connections/ }).waitFor();
      await page.goto(`${origin}/console/x/nothing`, { waitUntil: "commit" });
      await page.getByText("nothing brings no page").waitFor();
    });
  });

  test("takes only itself along when it cannot be loaded", async () => {
    await withPage({}, async ({ page, origin }) => {
      await page.route("**/console/x/connections/page.js", (route) => route.abort());
      await page.goto(`${origin}/console/x/connections`, { waitUntil: "commit" });
      await page.getByRole("alert").getByText("Connections cannot be shown").waitFor();
      await page.getByRole("link", { name: "Overview" }).click();
      await page.getByText("Calls in the last minute").waitFor();
    });
  });
});

test.each(["light", "dark"] as const)(
  "in the %s scheme it is usable by all, and as wide as a phone",
  async (colorScheme) => {
    const stateDir = freshState();
    const upstreams = { tool: peerProgram("v1", "stdio"), missing: { command: join(stateDir, "nothing") } };
    const running = await startConsole({
      pages,
      stateDir,
      only: ["connections"],
      services: { connections: { upstreams } },
    });
    const origin = `http://127.0.0.1:${running.port}`;
    const context = await browser.newContext({
      colorScheme,
      reducedMotion: "reduce",
      viewport: { width: 390, height: 844 },
    });
    try {
      const { page, misdeeds } = await openPage(context, origin);
      for (const path of ["/x/connections?name=missing", ""]) {
        await page.goto(`${origin}/console${path}`, { waitUntil: "commit" });
        await page.getByText("● Live").waitFor();
        if (path !== "") await tile(page, "tool", /connected to peer-v1/).waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
        expect(await seriousViolations(page)).toEqual([]);
      }
      expect(misdeeds).toEqual({ errors: [], foreign: [] });
    } finally {
      await context.close();
      await running.kernel.close();
      removeFolder(stateDir);
    }
  },
);
