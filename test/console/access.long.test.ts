/** The page of access: tokens are made, replaced and revoked in it, shown once, and who loses one is out at once, with the page that is open. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
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

beforeAll(async () => {
  [pages, browser] = await Promise.all([buildPages(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  removeFolder(pages);
});

interface Scene {
  readonly origin: string;
  /** The page, opened in a browser of its own. */
  open(colorScheme?: "light" | "dark"): Promise<Page>;
}

const withKernel = async (work: (scene: Scene) => Promise<void>): Promise<void> => {
  const stateDir = freshState();
  const running: ConsoleKernel = await startConsole({ pages, stateDir, only: ["rules"] });
  const origin = `http://127.0.0.1:${running.port}`;
  const contexts: Awaited<ReturnType<Browser["newContext"]>>[] = [];
  const watched: Awaited<ReturnType<typeof openPage>>["misdeeds"][] = [];
  try {
    await work({
      origin,
      open: async (colorScheme = "light") => {
        const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
        contexts.push(context);
        const { page, misdeeds } = await openPage(context, origin);
        watched.push(misdeeds);
        await page.goto(`${origin}/console/access`, { waitUntil: "commit" });
        return page;
      },
    });
    for (const misdeeds of watched) expect(misdeeds).toEqual({ errors: [], foreign: [] });
  } finally {
    for (const context of contexts) await context.close();
    await running.kernel.close();
    removeFolder(stateDir);
  }
};

const make = async (page: Page, name: string, rights: readonly string[]): Promise<string> => {
  await page.getByLabel("Caller").fill(name);
  for (const right of ["read", "call", "admin"])
    await page.getByRole("checkbox", { name: new RegExp(`^${right} `) }).setChecked(rights.includes(right));
  await page.getByRole("button", { name: "Make it" }).click();
  return readSecret(page, name);
};

const readSecret = async (page: Page, name: string): Promise<string> => {
  await page.getByRole("heading", { name: `The token of ${name}` }).waitFor();
  return (await page.getByRole("region", { name: "The token" }).textContent()) ?? "";
};

const signIn = async (page: Page, token: string): Promise<void> => {
  await page.getByLabel("Or give a token of it:").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
};

test("the first token closes the kernel; with it others are made, shown once, replaced and revoked", async () => {
  await withKernel(async ({ origin, open }) => {
    const whoami = (token: string) =>
      fetch(`${origin}/api/kernel/whoami`, { headers: { authorization: `Bearer ${token}` } }).then(
        ({ status }) => status,
      );
    const page = await open();
    await page.getByText("No token was made yet").waitFor();
    const chief = await make(page, "chief", ["read", "call", "admin"]);
    expect(chief).toMatch(/^fairlead_/);
    // From now on each caller needs one: a browser that comes now is asked for it.
    await expect.poll(() => fetch(`${origin}/api/kernel/whoami`).then(({ status }) => status)).toBe(401);
    // The browser that made it is signed in with it, and still shows it.
    await page.getByText("You are chief").waitFor();
    expect(await readSecret(page, "chief")).toBe(chief);
    const desk = await open();
    await desk.getByText("Sign in to this kernel").waitFor();
    await signIn(desk, chief);
    await desk.getByText("You are chief").waitFor();
    expect(await desk.content()).not.toContain(chief);

    const reader = await make(desk, "reader", ["read"]);
    await desk.getByRole("button", { name: "I have kept it" }).click();
    await expect.poll(() => desk.content()).not.toContain(reader);
    await expect.poll(() => whoami(reader)).toBe(200);
    const guest = await open();
    await signIn(guest, reader);
    await guest.getByText("Tokens are shown to administrators").waitFor();
    expect(await guest.getByRole("button", { name: "Make it" }).count()).toBe(0);

    await desk.getByRole("button", { name: "Rotate reader" }).click();
    await desk.getByRole("button", { name: "It has leaked: end it now" }).click();
    const next = await readSecret(desk, "reader");
    expect(next).not.toBe(reader);
    // Its page is open, and is left at once.
    await guest.getByText("Sign in to this kernel").waitFor();
    expect(await whoami(reader)).toBe(401);
    await signIn(guest, next);
    await guest.getByText("You are reader").waitFor();
    await desk.getByRole("button", { name: "Revoke reader" }).click();
    await desk.getByRole("button", { name: "Really revoke reader" }).click();
    await guest.getByText("Sign in to this kernel").waitFor();
    await desk.getByRole("listitem").filter({ hasText: "revoked" }).getByText("by chief").waitFor();
    expect(await desk.getByRole("button", { name: "Rotate reader" }).count()).toBe(0);
  });
});

test.each(["light", "dark"] as const)("in the %s scheme it is usable by all", async (colorScheme) => {
  await withKernel(async ({ open }) => {
    const page = await open(colorScheme);
    await page.getByText("● Live").waitFor();
    await page.getByText("No token was made yet").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByLabel("Caller").fill("not a name");
    await page.getByRole("button", { name: "Make it" }).click();
    await page.getByRole("alert").first().waitFor();
    const chief = await make(page, "chief", ["read", "call", "admin"]);
    const other = await open(colorScheme);
    await signIn(other, chief);
    await other.getByRole("button", { name: "Rotate chief" }).waitFor();
    await other.getByText("● Live").waitFor();
    expect(await seriousViolations(other)).toEqual([]);
  });
});
