/** The reference at `/docs` in a browser, and as a site that another web server serves. */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
// @boundaries-ignore the command reads the built console, which is being built elsewhere meanwhile
import { writeSite } from "../../clients/cli/src/site/write-site.ts";
import {
  buildPages,
  type ConsoleKernel,
  freshState,
  openBrowser,
  openPage,
  removeFolder,
  startConsole,
} from "./console.ts";

let pages: string;
let browser: Browser;
let running: ConsoleKernel;
let origin: string;
const stateDir = freshState();

beforeAll(async () => {
  [pages, browser] = await Promise.all([buildPages(), openBrowser()]);
  running = await startConsole({ pages, stateDir, only: ["rules"] });
  origin = `http://127.0.0.1:${running.port}`;
});
afterAll(async () => {
  await browser?.close();
  await running?.kernel.close();
  for (const folder of [pages, stateDir]) removeFolder(folder);
});

/** Shows a procedure with its call in another language; reaches nobody else, and does nothing that the page's policy refuses. */
const readReference = async (address: string): Promise<void> => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const { origin: own } = new URL(address);
    const { page, misdeeds } = await openPage(context, own);
    // Its makers' logo is asked for, and refused by the page's policy before anything is sent.
    const reached: string[] = [];
    page.on("response", (response) => void (response.url().startsWith(own) || reached.push(response.url())));
    await page.goto(address, { waitUntil: "commit" });
    await page.getByRole("link", { name: "rules", exact: true }).first().click();
    await page
      .getByRole("link", { name: /^Roll plain dice/ })
      .first()
      .click();
    const sample = page.locator("pre").filter({ hasText: "/api/rules/roll" });
    await sample.filter({ hasText: "curl -s" }).first().waitFor();
    await page.getByText("curl", { exact: true }).first().click();
    await page.getByText("Python", { exact: true }).first().click();
    await sample.filter({ hasText: "fairlead.Client" }).first().waitFor();
    expect(reached).toEqual([]);
    expect(misdeeds.foreign.filter((url) => !url.endsWith("/logo-mini-full.svg"))).toEqual([]);
  } finally {
    await context.close();
  }
};

test("a kernel shows its reference, and the page reaches no other address", async () => {
  await readReference(`${origin}/docs`);
});

test("a project's reference is a folder that any web server serves", async () => {
  const folder = freshState();
  const served = await serveFolder(folder);
  try {
    const document = JSON.parse(readFileSync(join(import.meta.dirname, "../../contracts/gen/openapi.json"), "utf8"));
    await writeSite(folder, { viewer: pages, document, options: { url: origin, needsToken: false } });
    await readReference(served.address);
  } finally {
    served.server.close();
    removeFolder(folder);
  }
});

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
};

const serveFolder = async (folder: string): Promise<{ readonly server: Server; readonly address: string }> => {
  const server = createServer(({ url = "/" }, response) => {
    const path = url === "/" ? "/index.html" : url;
    response.setHeader("content-type", types[extname(path)] ?? "text/plain");
    response.end(readFileSync(join(folder, path)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  return { server, address: `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}/` };
};
