/** The console of a kernel that has tokens: how a browser is let in, what it may do, and how that ends. */
import { hash } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  buildPages,
  type ConsoleKernel,
  freshState,
  openBrowser,
  openPage,
  removeFolder,
  startConsole,
} from "./console.ts";

const stateDir = freshState();
let pages: string;
let browser: Browser;
let running: ConsoleKernel;
let origin: string;

/** As `fairlead token` writes it: at once and as a whole. */
const writeTokens = (tokens: Readonly<Record<string, readonly string[]>>): void => {
  const list = Object.entries(tokens).map(([name, access]) => ({ name, sha256: hash("sha256", name), access }));
  const fresh = join(stateDir, "tokens.json.fresh");
  writeFileSync(fresh, JSON.stringify({ tokens: list }), { mode: 0o600 });
  renameSync(fresh, join(stateDir, "tokens.json"));
};

beforeAll(async () => {
  writeTokens({ chief: ["read", "call", "admin"], reader: ["read"], leaver: ["read"] });
  [pages, browser] = await Promise.all([buildPages(), openBrowser()]);
  running = await startConsole({ pages, stateDir });
  origin = `http://127.0.0.1:${running.port}`;
});

afterAll(async () => {
  await browser?.close();
  await running?.kernel.close();
  for (const folder of [pages, stateDir]) removeFolder(folder);
});

const makeLink = async (token: string): Promise<string> => {
  const response = await fetch(`${origin}/console/session`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: '{"link":true}',
  });
  const { path } = (await response.json()) as { readonly path: string };
  return `${origin}${path}`;
};

const open = async (address: string) => {
  const context = await browser.newContext();
  const { page, misdeeds } = await openPage(context, origin);
  await page.goto(address, { waitUntil: "commit" });
  return { context, page, misdeeds };
};

test("a link lets one browser in, leaves no trace in its address, and no script reads the cookie", async () => {
  const link = await makeLink("chief");
  const { context, page, misdeeds } = await open(link);
  await page.getByText("● Live").waitFor();
  await page.getByText("may do everything").waitFor();
  expect(page.url()).toBe(`${origin}/console`);
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  expect(await page.evaluate("document.cookie")).toBe("");
  const second = await open(link);
  await second.page.getByText("this link was used already").waitFor();
  expect(misdeeds).toEqual({ errors: [], foreign: [] });
  await Promise.all([context.close(), second.context.close()]);
});

test("without a link there is a place for a token, and signing out ends the session", async () => {
  const { context, page } = await open(`${origin}/console/services`);
  await page.getByLabel("Or give a token of it:").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("a valid token is required").waitFor();
  await page.getByLabel("Or give a token of it:").fill("chief");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Restart rules" }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("Sign in to this kernel").waitFor();
  expect(await context.cookies()).toEqual([]);
  await context.close();
});

test("a token that reads sees, and cannot act", async () => {
  const { context, page } = await open(await makeLink("reader"));
  await page.getByText("may read").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Services" }).click();
  expect(await page.getByRole("button", { name: "Restart rules" }).isDisabled()).toBe(true);
  await page.goto(`${origin}/console/playground?procedure=kernel.restart`, { waitUntil: "commit" });
  await page.getByText("you see this procedure and cannot call it").waitFor();
  expect(await page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true);
  await context.close();
});

test("a token that is revoked while a page is open closes it", async () => {
  const { context, page } = await open(await makeLink("leaver"));
  await page.getByText("● Live").waitFor();
  writeTokens({ chief: ["read", "call", "admin"], reader: ["read"] });
  await page.getByText("Sign in to this kernel").waitFor();
  await context.close();
});
