/**
 * Pages of docs/ that build a project, block by block, in a folder below one where the packed packages are installed: files are written, changes are made, commands
 * are run and print what the page shows. What the page leaves running is started again once files have changed, so that no command meets the code before.
 *
 * Not here: what the blocks are (`test/documents/page.ts`).
 */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changed, expected, readSteps, type Step } from "../documents/page.ts";
import { type Started, start, stop } from "./command.ts";
import { env } from "./packed.ts";

const execute = promisify(execFile);

/** What the page runs in a terminal of its own. */
const staysUp = /^((?:[A-Z_]+=\S+ )*)(npm run dev|npx fairlead up|node dist\/)$/;
const programs: Readonly<Record<string, readonly string[]>> = {
  "npm run dev": ["node_modules/fairlead/bin/fairlead.js", "dev"],
  "npx fairlead up": ["node_modules/fairlead/bin/fairlead.js", "up"],
};
/** The kernel's address in the pages; it gets any free port here. */
const address = "http://127.0.0.1:5099";

/** What was installed beforehand; and what only a host with Docker can run. */
const notHere = /^(?:npm (?:install|create)|docker)\b/;

const name = (step: Step): string => (step.kind === "shell" ? step.lines.join("; ") : `${step.kind} ${step.path}`);

/** `at` gives the folder below which a project is made; `before` is what is run before a page that begins in a project. */
export const describePage = (page: string, at: () => string, before: readonly string[] = []): void => {
  describe(`docs/${page}`, () => {
    let folder: string;
    let kernel: { readonly line: string; readonly running: Started } | undefined;
    let url = address;
    let isStale = false;
    const environment = (): Record<string, string> => ({
      ...env,
      PATH: [join(at(), "node_modules/.bin"), env.PATH].join(":"),
      XDG_STATE_HOME: join(at(), "state"),
      FAIRLEAD_PORT: "0",
    });

    const end = async (): Promise<void> => {
      if (kernel === undefined) return;
      kernel.running.child.kill("SIGTERM");
      await kernel.running.ended;
      kernel = undefined;
    };
    const keep = async (line: string): Promise<void> => {
      await end();
      const [, variables = "", command = ""] = staysUp.exec(line) ?? [];
      const [file, ...parameters] = programs[command] ?? [];
      const bin = file === undefined ? join(folder, "dist/index.js") : join(at(), file);
      const own = variables.split(" ").flatMap((each) => (each === "" ? [] : [each.split("=")]));
      const running = start({ bin, cwd: folder, env: { ...environment(), ...Object.fromEntries(own) } }, parameters);
      kernel = { line, running };
      [url = url] = /http:\/\/127\.0\.0\.1:\d+/.exec(await running.until(/openapi\.json/)) ?? [];
      isStale = false;
    };

    /** Resolves with what a step printed. */
    const carryOut = async (step: Step): Promise<string> => {
      if (step.kind !== "shell") {
        const path = join(folder, step.path);
        await mkdir(dirname(path), { recursive: true });
        const text = step.kind === "file" ? step.text : changed(await readFile(path, "utf8"), step.path, step.hunks);
        await writeFile(path, text.replaceAll(address, url));
        isStale ||= /^(?:contracts|services|fairlead\.config)\b/.test(step.path);
        return "";
      }
      const [first = ""] = step.lines;
      if (staysUp.test(first)) {
        await keep(first);
        return "";
      }
      if (isStale && kernel !== undefined) await keep(kernel.line);
      const [folderLine] = step.lines.filter((line) => line.startsWith("cd "));
      // What npx would find is first in PATH.
      const script = step.lines.filter((line) => !notHere.test(line)).map((line) => line.replace(/^npx /, ""));
      const line = script.join("\n").replaceAll(address, url);
      const running = execute("sh", ["-ec", line], { cwd: folder, env: environment() });
      running.child.stdin?.end();
      const { stdout } = await running;
      if (folderLine !== undefined) folder = join(folder, folderLine.slice("cd ".length));
      return stdout.trim();
    };

    beforeAll(() => {
      folder = at();
    });
    afterAll(async () => {
      if (kernel !== undefined) await stop(kernel.running);
    });

    let failed = false;
    const steps: readonly Step[] = [
      ...(before.length === 0 ? [] : [{ kind: "shell", lines: before } as const]),
      ...readSteps(page),
    ];
    it.each(steps.map((step, index) => ({ step, title: `${index + 1}: ${name(step)}` })))(
      "$title",
      async ({ step }) => {
        if (failed) throw new Error("an earlier block failed");
        failed = true;
        const printed = await carryOut(step);
        failed = false;
        if (step.kind === "shell" && step.prints !== undefined) expect(printed).toMatch(expected(step.prints));
      },
    );
  });
};
