/**
 * A project outside this repository, in a temporary folder: one contract, one service, its own configuration. Its service can be
 * made to fail in every kind of way.
 */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const files: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({ name: "outside", version: "1.0.0", private: true, type: "module" }),
  "fairlead.config.ts": `import { join } from "node:path";
export default { manifest: "./gen/manifest.ts", stateDir: join(import.meta.dirname, "state"), gen: { loadTimeoutMs: 60_000 } };
`,
  "contracts/probe.contract.ts": `import { defineContract, error, mutation, query, subscription } from "@fairlead/contracts";
import * as z from "zod";
const nothing = z.object({});
export const probe = defineContract({
  id: "probe", version: "1.0.0", summary: "Does what a test needs.",
  procedures: {
    echo: query({
      tool: "echo", summary: "Gives back its input.",
      input: z.object({ text: z.string().describe("Any text."), list: z.array(z.int().describe("A number.")).default([]).describe("Numbers.") }),
      output: z.object({ text: z.string().describe("The text."), list: z.array(z.int().describe("A number.")).describe("The numbers.") }),
    }),
    short: query({
      tool: "short", summary: "Travels in the URL.",
      input: z.object({ level: z.int().default(1).describe("A level.") }),
      output: z.object({ level: z.int().describe("The level.") }),
    }),
    fail: query({
      tool: "fail", summary: "Fails with a code.",
      input: z.object({ code: z.string().describe("The code.") }),
      output: nothing,
    }),
    refuse: query({
      tool: "refuse", summary: "Fails as declared.", input: nothing, output: nothing,
      errors: { too_late: error({ code: "aborted", when: "always", hint: "come earlier", data: z.object({ by: z.int().describe("Hours.") }) }) },
    }),
    wait: query({ tool: "wait", summary: "Never answers.", input: nothing, output: nothing }),
    add: mutation({ tool: "add", summary: "Counts calls.", retry: "keyed", input: nothing, output: z.object({ count: z.int().describe("Calls so far.") }) }),
    ticks: subscription({
      summary: "Counts without end.", input: nothing, output: z.object({ tick: z.int().describe("The count.") }),
    }),
  },
  verbs: {
    "probe echo": {
      summary: "Give back a text", examples: ["fairlead probe echo hi --list 1"],
      arguments: [{ name: "text", field: "text", about: "Any text" }],
      flags: [{ flags: "--times <n>", about: "Not in the input" }],
      data: { about: "Further input" },
      steps: [{ call: "echo" }],
      show: ["{text} {$times|or:once}", { each: "list", show: "- {.}" }],
      notes: [{ first: [{ when: [{ missing: "list" }], show: "no numbers" }] }],
      watch: { call: "ticks", about: "Count", show: "tick {tick}" },
    },
    level: {
      summary: "Show a level", examples: ["fairlead level --level 3"],
      flags: [{ flags: "--level <n>", field: "level", about: "A level" }],
      steps: [{ call: "short", refuse: [{ when: [{ value: "level", is: 7 }], code: "not_found", message: "there is no level {level}", hint: "take another" }] }],
      show: { fields: "." },
    },
    "probe late": {
      summary: "Come too late", examples: ["fairlead probe late"],
      steps: [{ call: "refuse", errors: { too_late: { code: "failed_precondition", hint: "come {by} hours earlier" } } }],
      show: "{.}",
    },
  },
});
`,
  "services/probe/service.ts": `import { defineService, FairleadError, tracked } from "@fairlead/kernel/service";
import { probe } from "../../contracts/probe.contract.ts";
import * as z from "zod";
export default defineService(probe, () => {
  let count = 0;
  return { handlers: {
    echo: (input) => input,
    short: (input) => input,
    fail: ({ code }) => { throw code === "defect" ? new TypeError("a secret") : new FairleadError({ code: code as "aborted", message: "as asked" }); },
    refuse: (_, call) => { throw call.fail("too_late", { message: "too late" }, { by: 3 }); },
    wait: (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    add: () => ({ count: ++count }),
    ticks: async function* (_, call) {
      for (let tick = Number(call.lastEventId ?? 0) + 1; !call.signal.aborted; tick += 1) {
        yield tracked(String(tick), { tick });
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  } };
}, { config: z.strictObject({ pitch: z.int().default(1) }) });
`,
};

export interface OutsideProject {
  readonly folder: string;
  write(path: string, text: string): void;
  remove(): void;
}

/** Makes the project, or a copy of another one. */
export const outsideProject = (like?: OutsideProject): OutsideProject => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-outside-")));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  if (like !== undefined) cpSync(like.folder, folder, { recursive: true, verbatimSymlinks: true });
  else {
    for (const [path, text] of Object.entries(files)) write(path, text);
    symlinkSync(installed(), join(folder, "node_modules"));
  }
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** The folder where this repository's packages are installed. */
const installed = (): string => {
  const commander = createRequire(import.meta.url).resolve("commander");
  return commander.slice(0, commander.lastIndexOf(join("node_modules", "commander")) + "node_modules".length);
};
