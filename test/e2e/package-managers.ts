/**
 * The first hour of somebody new, with each package manager: a project is made, run, edited, called by every way in, tested, built and started, with the commands that the documents say.
 *
 * Not here: the registry (`registry.ts`), and the app of a browser (`vite-app.ts`).
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createTRPCUntypedClient, httpBatchLink } from "@trpc/client";
import { describe, it } from "vitest";
import type { Registry } from "./registry.ts";

const execute = promisify(execFile);

/** What a person types. `run` is a script of the project, `exec` a command that a package brings. */
const managers = [
  { name: "npm", create: "npm create --yes fairlead@latest my-app", run: "npm run", exec: "npx" },
  { name: "pnpm", create: "pnpm create fairlead@latest my-app", run: "pnpm run", exec: "pnpm exec" },
  { name: "yarn", create: "yarn dlx create-fairlead my-app", run: "yarn run", exec: "yarn exec" },
] as const;

const program = `import { createClient, fetchTransport } from "@fairlead/client";
import { type HelloTypes, hello } from "./gen/hello.ts";

const client = createClient<HelloTypes>(hello, fetchTransport({ url: process.argv[2] ?? "" }));
console.log((await client.greet({ name: "Ada" })).greeting);
`;

/** The terminal of somebody who works in a folder. */
class Terminal implements AsyncDisposable {
  readonly #env: Registry["env"];
  readonly #running = new Set<ChildProcess>();
  folder: string;

  constructor(folder: string, env: Registry["env"]) {
    this.folder = folder;
    this.#env = env;
  }

  /** Resolves with what a line printed. Rejects with all of it when the line fails: yarn says on its output why. */
  async type(line: string): Promise<string> {
    const options = { cwd: this.folder, env: this.#env, timeout: 300_000, maxBuffer: 16 * 1_048_576 };
    try {
      return (await execute("sh", ["-c", line], options)).stdout;
    } catch (error) {
      throw new Error(`\`${line}\` failed: ${inspect(error)}`, { cause: error });
    }
  }

  /** Leaves a line running that starts a kernel, and resolves with its address. `end` is Ctrl-C. */
  async keep(line: string): Promise<{ readonly url: string; readonly end: () => Promise<void> }> {
    const child = spawn("sh", ["-c", line], { cwd: this.folder, env: this.#env, detached: true });
    this.#running.add(child);
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve())).finally(() =>
      this.#running.delete(child),
    );
    const end = async (): Promise<void> => {
      this.#signal(child, "SIGINT");
      await closed;
    };
    let text = "";
    const url = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (more: string) => {
          text += more;
          const [address] = /http:\/\/127\.0\.0\.1:\d+(?=\/openapi\.json)/.exec(text) ?? [];
          if (address !== undefined) resolve(address);
        });
      closed.then(() => reject(new Error(`\`${line}\` ended: ${text}`)));
    });
    return { url, end };
  }

  #signal({ pid }: ChildProcess, signal: NodeJS.Signals): void {
    if (pid !== undefined) process.kill(-pid, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running) this.#signal(child, "SIGKILL");
  }
}

const greetOver = async (url: string): Promise<unknown> => (await fetch(`${url}/api/hello/greet?name=Ada`)).json();

const greetOverMcp = async (transport: Transport): Promise<unknown> => {
  const client = new Client({ name: "newcomer", version: "1.0.0" });
  await client.connect(transport);
  try {
    return (await client.callTool({ name: "hello_greet", arguments: { name: "Ada" } })).structuredContent;
  } finally {
    await client.close();
  }
};

const edit = async (path: string, from: string, to: string): Promise<void> =>
  writeFile(path, (await readFile(path, "utf8")).replace(from, to));

export const describePackageManagers = (registry: () => Registry): void => {
  describe("the first hour", () => {
    it.concurrent.for(managers)("with $name", async ({ name, create, run, exec }, { expect }) => {
      const folder = await mkdtemp(join(tmpdir(), `fairlead-${name}-`));
      const { env } = registry();
      await using terminal = new Terminal(folder, env);

      const printed = await terminal.type(create);
      expect(printed).toContain(`next: ${name} install\nnext: ${name} run dev\n`);
      expect(printed).not.toContain("not on npm");
      terminal.folder = join(folder, "my-app");
      const at = (path: string): string => join(folder, "my-app", path);
      await terminal.type(`${name} install`);

      const dev = await terminal.keep(`${run} dev`);
      await edit(at("services/hello/service.ts"), "Hello, ", "Ahoy, ");
      const greeting = "Ahoy, Ada.";
      await expect.poll(() => greetOver(dev.url)).toEqual({ greeting });
      const trpc = createTRPCUntypedClient({ links: [httpBatchLink({ url: `${dev.url}/trpc` })] });
      expect(await trpc.query("hello.greet", { name: "Ada" })).toEqual({ greeting });
      expect(await greetOverMcp(new StreamableHTTPClientTransport(new URL(`${dev.url}/mcp`)))).toEqual({ greeting });
      const { mcpServers } = JSON.parse(await readFile(at(".mcp.json"), "utf8"));
      const { PATH = "", HOME = "" } = env;
      const entry = { ...mcpServers["my-app"], cwd: terminal.folder, env: { PATH, HOME } };
      expect(await greetOverMcp(new StdioClientTransport(entry))).toEqual({ greeting });
      expect(await terminal.type(`${exec} fairlead hello greet --name Ada --json`)).toContain(`"${greeting}"`);
      await writeFile(at("program.ts"), program);
      expect(await terminal.type(`node program.ts ${dev.url}`)).toBe(`${greeting}\n`);
      await dev.end();

      await edit(at("services/hello/service.test.ts"), "Hello, ", "Ahoy, ");
      expect(await terminal.type(`${run} test`)).toContain("2 passed");
      expect(await terminal.type(`${run} build`)).toContain("built ");
      for (const line of [`${run} start`, "node dist/"]) {
        const { url, end } = await terminal.keep(line);
        expect(await greetOver(url), line).toEqual({ greeting });
        await end();
      }
      await rm(folder, { recursive: true, force: true });
    });
  });
};
