/** The console as its users have it: its pages, built, behind a real kernel with real services, in Debian's Chromium. For the long tier. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type Kernel, openKernel } from "@fairlead/kernel";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { repository } from "../e2e/command.ts";

const execute = promisify(execFile);

/** Builds the pages into a folder of their own. */
export const buildPages = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-pages-"));
  const vite = join(repository, "node_modules/vite/bin/vite.js");
  const args = [vite, "build", "--outDir", folder, "--emptyOutDir", "--logLevel", "error"];
  await execute(process.execPath, args, {
    cwd: join(repository, "clients/console"),
    env: { ...process.env, NODE_ENV: "production" },
  });
  return folder;
};

/** `.ci/run` installs it. */
const browserPath = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => ["chromium", "chromium-browser"].map((name) => join(folder, name)))
  .find((path) => existsSync(path));

export const openBrowser = (): Promise<Browser> => {
  if (browserPath === undefined) throw new Error("there is no Chromium: apt-get install chromium");
  return chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
};

export interface ConsoleKernel {
  readonly kernel: Kernel;
  readonly port: number;
}

interface ConsoleOptions {
  readonly pages: string;
  readonly stateDir: string;
  /** Services that run, in place of `rules` and `connections`. */
  readonly only?: readonly string[];
  /** Their settings. */
  readonly services?: Readonly<Record<string, unknown>>;
  /** Variables of the kernel's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: one that is free. */
  readonly port?: number;
}

/** Builds the pages of services where their packages have them. */
export const buildServicePage = async (service: string): Promise<void> => {
  await execute(process.execPath, [join(repository, "clients/console/pack/page.ts")], {
    cwd: join(repository, "services", service),
  });
};

/** Shipped services, and the kernel's own. */
export const startConsole = async (options: ConsoleOptions): Promise<ConsoleKernel> => {
  const { pages, stateDir, only = ["rules", "connections"], services = {}, env = {}, port: wanted = 0 } = options;
  const kernel = await openKernel({
    config: { only: [...only], services },
    env: { ...env },
    flags: { port: wanted, lagMs: 60_000, stateDir },
    log: () => {},
    console: pages,
  });
  await kernel.started();
  const { port } = await kernel.serve();
  return { kernel, port };
};

export const freshState = (): string => mkdtempSync(join(tmpdir(), "fairlead-console-"));

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** What a page did that it must not do. */
export interface Misdeeds {
  /** Errors of scripts, and what the policy of the page has refused. */
  readonly errors: string[];
  /** Requests to other addresses than the kernel's. */
  readonly foreign: string[];
}

/** A page that is watched. */
export const openPage = async (
  context: BrowserContext,
  origin: string,
): Promise<{ readonly page: Page; readonly misdeeds: Misdeeds }> => {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const misdeeds: Misdeeds = { errors: [], foreign: [] };
  page.on("pageerror", (error) => misdeeds.errors.push(String(error)));
  page.on("console", (message) => {
    // A refused request is an answer with its status, which the browser reports, too; so is a kernel that restarts.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      misdeeds.errors.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith("data:"))
      misdeeds.foreign.push(request.url());
  });
  return { page, misdeeds };
};

const axeSource: string = createRequire(import.meta.url)("axe-core").source;

/** Rules of accessibility that the page breaks, serious and critical ones, with an element that does. */
export const seriousViolations = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: readonly AxeViolation[] }> } };
    interface AxeViolation {
      readonly id: string;
      readonly impact: string | null;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary ?? ""}`);
  });
};
