/**
 * What tasks are done in: a kernel with the five services, 450 tools of other systems that it relays, a repository for each project of the loop, and a
 * stand-in for Path of Building. A fresh one for each run, since tasks change it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { makeLog, openKernel } from "@fairlead/kernel";
// @boundaries-ignore the catalogue that the search is tested with
import { otherTools } from "../../kernel/src/testing/tool-catalogue.ts";
import { emptyRepository } from "../e2e/loop-project/repository.ts";
import { serveOthers } from "./other-server.ts";
import { projects } from "./tasks/loop.ts";
import { hasLuajit } from "./tasks.ts";

/** What stands before the name of a tool that is relayed. */
export const relayedPrefix = "work__";

export interface World {
  /** Without a path. */
  readonly origin: string;
  close(): Promise<void>;
}

const engine = join(import.meta.dirname, "../../services/pob/src/testing/engine/stock");
const closed = "http://127.0.0.1:9/mcp";

export const openWorld = async (): Promise<World> => {
  const state = mkdtempSync(join(tmpdir(), "fairlead-evals-"));
  const others = await serveOthers();
  const folders = Object.fromEntries(projects.map((name) => [name, emptyRepository()]));
  const kernel = await openKernel({
    root: state,
    env: {
      PATH: process.env.PATH,
      ...(hasLuajit() && { POB_LUA_ENABLED: "true", POB_FORK_PATH: engine }),
    },
    config: {
      stateDir: state,
      services: {
        connections: { upstreams: { work: { url: others.url }, dead: { url: closed }, old: { url: closed } } },
        loop: { projects: folders },
        inspector: {
          // The game stands still, and a busy machine makes no answer shorter.
          world: { tickMs: 0 },
          limits: { wallMs: 600_000, fuelPerRow: 1_000_000_000, fuelPerQuery: 10_000_000_000 },
        },
      },
    },
    // Nor is it an overload.
    flags: { port: 0, lagMs: 60_000 },
    log: makeLog({ level: "error", write: () => {} }),
  });
  const close = async (): Promise<void> => {
    await kernel.close();
    await others.close();
    for (const path of [state, ...Object.values(folders).map((folder) => dirname(folder))])
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  };
  const origin = `http://127.0.0.1:${(await kernel.serve()).port}`;
  while (!(await isRelayed(kernel))) await turn();
  return { origin, close };
};

/** The tools of others are there when their server has been asked. */
const isRelayed = async (kernel: Awaited<ReturnType<typeof openKernel>>): Promise<boolean> => {
  const reply = await kernel.connect().call("connections.status", { name: "work" });
  if (!reply.ok) throw new Error(reply.error.message);
  const { tools } = reply.value as { readonly tools: number };
  return tools >= otherTools.length;
};
