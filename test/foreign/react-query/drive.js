/** Uses the app as a person would: `node drive.js <page> <chromium>`. Prints what it showed, as JSON. */
import { chromium } from "playwright-core";

const [url = "", executablePath = ""] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const page = await browser.newPage();
page.setDefaultTimeout(60_000);
const problems = [];
const requests = [];
page.on("console", (message) => {
  // A refused call is an answer with its status, which the browser reports, too.
  if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
    problems.push(message.text());
});
page.on("pageerror", (error) => problems.push(String(error)));
page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));

const text = async (id) => (await page.locator(`#${id}`).textContent()) ?? "";
/** Waits until an element shows this. */
const shows = (id, pattern) => page.locator(`#${id}`).filter({ hasText: pattern }).waitFor();

await page.goto(url, { waitUntil: "commit" });
await shows("refused", /too_big/);
await shows("batched", /BAD_REQUEST/);
await shows("counted", /3:3/);
const loaded = {
  prefetched: await text("prefetched"),
  refused: await text("refused"),
  batched: await text("batched"),
  pages: await text("pages"),
  counted: await text("counted"),
};
await page.click("#pay");
await shows("pay", /paid/);
await page.click("#more");
await shows("pages", /\|/);
await page.locator("#more:not([disabled])").waitFor();
await page.click("#more");
await page.locator("#more[disabled]").waitFor();
const asked = page.waitForRequest((request) => request.url().includes("probe.wait"));
await page.click("#wait");
const waiting = await asked;
const failed = page.waitForEvent("requestfailed", (request) => request === waiting);
await page.click("#wait");
const { errorText } = (await failed).failure();
const used = { pay: await text("pay"), pages: await text("pages"), aborted: errorText };
await browser.close();
process.stdout.write(JSON.stringify({ loaded, used, problems, requests }));
