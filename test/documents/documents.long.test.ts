/**
 * Every command and block of code of the four documents at the root, run as it is written there: in a copy of this repository, beside the kernel
 * that the README's first command starts, and in another project. `plans.ts` says what is run otherwise, and what cannot be.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packages, read } from "../architecture/sources.ts";
import { copyRepository, type RepositoryCopy } from "../e2e/repository-copy.ts";
import { type Plan, plans } from "./plans.ts";
import { blocks, inlineCodes } from "./snippets.ts";

let copy: RepositoryCopy;
let elsewhere: string;
let kernel: Process;
let url: string;
let stateFolder: string;

interface Process {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** All that it has printed. */
  output(): string;
  until(pattern: RegExp): Promise<string>;
}

/** A line for the shell, in a group of its own. */
const start = (line: string, cwd: string, more: Readonly<Record<string, string>> = {}): Process => {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD|NODE_OPTIONS|FAIRLEAD_|VITEST)/.test(name),
  );
  const env = {
    ...Object.fromEntries(own),
    PATH: [join(cwd, "node_modules/.bin"), dirname(process.execPath), process.env.PATH ?? ""].join(":"),
    XDG_STATE_HOME: join(elsewhere, "state"),
    npm_config_prefer_offline: "true",
    FAIRLEAD_LAG_MS: "60000",
    ...more,
  };
  const child = spawn("sh", ["-c", line], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = once(child, "close").then(([code, signal]) => (signal === "SIGINT" ? 130 : code));
  const until = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(output)) {
      const more = Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), ended.then(() => "ended")]);
      if ((await more) === "ended" && !pattern.test(output)) throw new Error(`ended before ${pattern}: ${output}`);
    }
    return output;
  };
  return { child, ended, output: () => output, until };
};

/** Ctrl-C at a terminal reaches the whole group. */
const interrupt = ({ child }: Process): void => {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
};

beforeAll(async () => {
  copy = await copyRepository();
  // Short, since the path of a Unix socket may have 103 characters.
  elsewhere = await mkdtemp(join(tmpdir(), "fd-"));
  await writeFile(join(elsewhere, "package.json"), '{ "name": "elsewhere", "type": "module" }');
  await Promise.all(packages.map(leaveStaleFile));
  kernel = start("npm start", copy.folder, { FAIRLEAD_PORT: "0" });
  const printed = await kernel.until(/OpenAPI +http\S+/);
  url = new URL(/http:\S+/.exec(printed)?.[0] ?? "").origin;
  const status = start("fairlead status --json", copy.folder);
  await status.ended;
  stateFolder = /"folder":\s*"([^"]+)"/.exec(status.output())?.[1] ?? "";
});

afterAll(async () => {
  interrupt(kernel);
  await kernel.ended;
  await copy.remove();
  await rm(elsewhere, { recursive: true, force: true });
});

/** What an earlier build could have left: no later one may publish it. */
const staleFile = (name: string): string => join(copy.folder, name, "dist/stale.js");
const leaveStaleFile = async (name: string): Promise<void> => {
  await mkdir(dirname(staleFile(name)), { recursive: true });
  await writeFile(staleFile(name), "");
};

/** The command with what is different here: the port, and what the reader is to fill in. */
const filled = (line: string): string =>
  line
    .replaceAll("http://127.0.0.1:5099", url)
    .replaceAll("<state folder>", stateFolder)
    .replaceAll("<here>", copy.folder);

const run = async (line: string, plan: Exclude<Plan, { readonly no: string }>): Promise<void> => {
  const { at, as, prints = /(?:)/, until, codes = [0], env = {} } = plan;
  const own = until === undefined ? {} : { FAIRLEAD_PORT: "0", XDG_STATE_HOME: join(elsewhere, "2nd") };
  const folder = at === "copy" ? copy.folder : elsewhere;
  const filledEnv = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
  const running = start(filled(as ?? line), folder, { ...own, ...filledEnv });
  if (until !== undefined) {
    await running.until(until);
    interrupt(running);
  }
  const code = await running.ended;
  expect(codes, running.output()).toContain(code);
  expect(running.output()).toMatch(prints);
};

describe.each(Object.entries(plans))("%s", (_, ofDocument) => {
  const runnable = Object.entries(ofDocument).flatMap(([line, plan]) => ("no" in plan ? [] : [{ line, plan }]));
  it.each(runnable)("$line", ({ line, plan }) => run(line, plan));
});

/** What has nothing to compile (create-fairlead is one script) has no `dist` to empty. */
const compiled = packages.filter((name) => read(join(name, "package.json")).includes('"dist"'));

it.each(compiled)("the build of %s has emptied its dist", (name) => {
  expect(existsSync(join(copy.folder, name, "dist"))).toBe(true);
  expect(existsSync(staleFile(name))).toBe(false);
});

const programs = blocks("ts").filter(({ document }) => document === "README.md");
it.each(programs)("the README's program $text", async ({ text }) => {
  const attack = 'import attack from "./attack.json" with { type: "json" };\n';
  const path = join(copy.folder, "examples/readme.ts");
  await writeFile(path, `${attack}${filled(text)}console.log(JSON.stringify(result));\n`);
  await run("node --conditions=@fairlead/source examples/readme.ts", { at: "copy", prints: /aria-and-the-goblin/ });
});

describe("the other project of CONTRIBUTING.md", () => {
  it("runs its own service with the line of configuration that is shown", async () => {
    const [config] = blocks("ts").filter(({ document }) => document === "CONTRIBUTING.md");
    await writeFile(join(elsewhere, "fairlead.config.ts"), config?.text ?? "");
    await run(`npx fairlead call weather.greet -d '{"name":"Ada"}' --local`, { at: "outside", prints: /Hello, Ada/ });
  });

  it("is checked by tsc with the settings that are named", async () => {
    const settings = inlineCodes("CONTRIBUTING.md").filter(
      (code) => /^"\w+": /.test(code) && code !== '"type": "module"',
    );
    const named = `{ "compilerOptions": { ${settings.join(", ")} }, "include": ["*.ts", "contracts", "services", "gen"] }`;
    await writeFile(join(elsewhere, "tsconfig.json"), named);
    const { devDependencies } = JSON.parse(await readFile(join(copy.folder, "package.json"), "utf8"));
    const others = ["typescript", "@types/node"].map((name) => `${name}@${devDependencies[name]}`).join(" ");
    await run(`npm install --no-save ${others} && npx tsc -p .`, { at: "outside" });
  });
});
