/** Opens the app as a person would: `node drive.js <page> <chromium>`. Prints what it shows and what went wrong, as JSON. */
import { chromium } from "playwright-core";

const [url = "", executablePath = ""] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const page = await browser.newPage();
page.setDefaultTimeout(60_000);
const problems = [];
page.on("console", (message) => {
  // A refused call is an answer with its status, which the browser reports, too.
  if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
    problems.push(message.text());
});
page.on("pageerror", (error) => problems.push(String(error)));
await page.goto(url, { waitUntil: "commit" });
const text = async (id) => {
  await page.locator(`#${id}`).filter({ hasText: /./ }).waitFor();
  return page.locator(`#${id}`).textContent();
};
const shown = { greeting: await text("greeting"), refused: await text("refused") };
await browser.close();
process.stdout.write(JSON.stringify({ shown, problems }));
