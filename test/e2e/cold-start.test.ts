/**
 * What `fairlead mcp serve --stdio` loads before it answers. A cold start costs what is loaded, so the list of that is held here and
 * not the time, which `npm run bench` measures.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { environmentOf, ownBin, repository } from "./command.ts";

/** Runs before the command in its process: writes down what is loaded, line by line. */
const hookText = (list: string): string => `
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  load: (url, context, next) => {
    appendFileSync(${JSON.stringify(list)}, url + "\\n");
    return next(url, context);
  },
});
`;

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "cold-start", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

let folder: string;
let server: ReturnType<typeof serve>;

const serve = (cwd: string, name: string) => {
  const [hook, list] = [join(cwd, `${name}.mjs`), join(cwd, `${name}.txt`)];
  writeFileSync(hook, hookText(list));
  const child = spawn(process.execPath, [ownBin, "mcp", "serve", "--stdio"], {
    cwd,
    env: { ...environmentOf({ env: { XDG_STATE_HOME: cwd } }), NODE_OPTIONS: `--import=${hook}` },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => child.once("close", resolve));
  let seen = 0;
  return {
    /** The result, and what was loaded since the one before; packages and this repository's files by their names. */
    ask: async (method: string, params: Readonly<Record<string, unknown>> = {}) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } })}\n`);
      const { result } = JSON.parse((await answers.next()).value ?? "{}");
      const urls = readFileSync(list, "utf8").trimEnd().split("\n");
      const loaded = urls
        .slice(seen)
        .map((url) => url.replace(/^file:.*\/node_modules\//, "").replace(pathToFileURL(repository).href, ""));
      seen = urls.length;
      return { result, loaded };
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-cold-"));
  server = serve(folder, "owner");
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a stdio server with all five services", () => {
  it("lists its tools without the code that calls need", async () => {
    const { result, loaded } = await server.ask("tools/list");
    const names = result.tools.map(({ name }: { readonly name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["resolve_attack", "mcp_add", "eval", "parse_build", "kernel_services"]),
    );
    const services = loaded.filter((url) => /^services\//.test(url)).map((url) => url.split("/")[1]);
    expect(new Set(services)).toEqual(new Set(["connections", "inspector", "loop", "pob", "rules"]));
    expect(loaded.filter((url) => handlers.test(url) || foreign.test(url))).toEqual([]);
    expect(loaded.length).toBeLessThan(most);
  });

  it("reads with a call what that service needs, and nothing of the others", async () => {
    const { result, loaded } = await server.ask("tools/call", {
      name: "roll_dice",
      arguments: { notation: "2d6", dice: { values: [1, 2] } },
    });
    expect(result).not.toMatchObject({ isError: true });
    const services = loaded.filter((url) => url.startsWith("services/"));
    expect(services).toContain("services/rules/src/handlers.ts");
    expect(services.filter((url) => !url.startsWith("services/rules/"))).toEqual([]);
    expect(loaded.filter((url) => foreign.test(url))).toEqual([]);
  });
});

describe("a stdio server beside an owner", () => {
  it("loads no kernel and no service", async () => {
    const attached = serve(folder, "attached");
    try {
      const { result, loaded } = await attached.ask("tools/list");
      expect(result.tools).toContainEqual(expect.objectContaining({ name: "roll_dice" }));
      expect(loaded.filter((url) => /^(?:services|contracts|kernel\/gen)\//.test(url))).toEqual([]);
      expect(loaded.filter((url) => /^(?!kernel|clients|node:)/.test(url))).toEqual([]);
      expect(loaded.length).toBeLessThan(mostAttached);
    } finally {
      await attached.close();
    }
  });
});

/** Where the services keep what they do when they are called. */
const handlers = new RegExp(
  `^services/(?:${[
    "connections/src/(?:composition|handlers|registry|upstream|store)",
    "inspector/src/(?:answer|explore|world)",
    "inspector/linq/src/(?:syntax|bind|run)",
    "loop/src/(?:handlers|session|store|tool)",
    "pob/src/(?:procedures|session/(?!session-registry))",
    "rules/src/(?:handlers|resolve|dice)",
  ].join("|")})\\b`,
);

/** What other ways in, other commands and some calls need. */
const foreign = new RegExp(
  [
    "^(@trpc|@anthropic-ai|@modelcontextprotocol/client|@rgrove|better-sqlite3|execa|wasmoon|yaml)/",
    "^effect/dist/(Stream|http|observability)\\b",
    "^node:(http|https|http2|tls)$",
    "^kernel/src/(boot/network|observe/otlp|server/server|state/(state-writer|group-commit|event-store)|subprocess|transport/(docs|http|trpc))\\b",
  ].join("|"),
);

/** A few above what it is; each costs about half a millisecond. */
const most = 368;
/** The same for one that hands lines on to the owner's kernel. */
const mostAttached = 60;
