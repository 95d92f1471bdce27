/** The connections service alone in memory, for tests of its behaviour: asked through its contract, its events kept as they come. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WireError } from "@fairlead/contracts";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import connections from "@fairlead/service-connections";
import { vi } from "vitest";

export interface Status {
  readonly name: string;
  readonly state: string;
  readonly tools: number;
  readonly error: string | null;
  readonly configured: boolean;
  readonly era: string | null;
  readonly attempt: number;
  readonly generation: number;
  readonly lastError: { readonly reason: string; readonly message: string } | null;
  readonly quarantined: readonly string[];
  readonly filtered: readonly string[];
  readonly unusable: readonly string[];
}

export interface Happened {
  /** Milliseconds of the process, when this test heard of it. */
  readonly at: number;
  readonly type: string;
  readonly name: string;
  readonly reason?: string;
  readonly attempt?: number;
  readonly tools?: unknown;
}

export type Called =
  | { readonly ok: true; readonly text: string; readonly ms: number; readonly at: number; readonly result: unknown }
  | { readonly ok: false; readonly error: WireError; readonly ms: number; readonly at: number };

export interface Board {
  readonly happened: readonly Happened[];
  status(name: string): Promise<Status>;
  add(name: string, url: string): Promise<void>;
  ask(procedure: string, input: unknown): Promise<unknown>;
  call(tool: string, input?: unknown, timeoutMs?: number): Promise<Called>;
  /** Waits until it stands there. */
  becomes(name: string, state: string): Promise<void>;
  close(): Promise<void>;
}

/** Nothing is taken for silent that a busy machine only makes late: for tests where no upstream keeps silent. */
export const calmTimes = { connectMs: 60_000, idleMs: 60_000, pingMs: 60_000 };

/** Silence is noticed soon, but not so soon that a busy machine is taken for it. */
export const watchfulTimes = { connectMs: 60_000, idleMs: 400, pingMs: 10_000 };

export interface BoardOptions {
  /** A folder that is not to be removed with the board. */
  readonly stateDir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export const openBoard = async (
  section: Readonly<Record<string, unknown>> = {},
  { stateDir: kept, env = {} }: BoardOptions = {},
): Promise<Board> => {
  const stateDir = kept ?? mkdtempSync(join(tmpdir(), "fairlead-board-"));
  const kernel = openMemoryKernel([connections], {
    stateDir,
    config: { connections: { times: calmTimes, ...section } },
    env,
  });
  const happened: Happened[] = [];
  const stop = new AbortController();
  const following = (async () => {
    const opened = await kernel.subscribe("connections.events", { after: 0 }, { signal: stop.signal });
    if (!opened.ok) throw new Error(opened.error.message);
    for await (const { value } of opened.items) {
      const { event } = value as { readonly event: Omit<Happened, "at"> };
      happened.push({ at: performance.now(), ...event });
    }
  })().catch(() => undefined);

  const ask = async (procedure: string, input: unknown): Promise<unknown> => {
    const reply = await kernel.call(`connections.${procedure}`, input);
    if (reply.ok) return reply.value;
    throw Object.assign(new Error(reply.error.message), { wire: reply.error });
  };
  const status = async (name: string): Promise<Status> => (await ask("status", { name })) as Status;

  return {
    happened,
    ask,
    status,
    add: async (name, url) => void (await ask("add", { name, url })),
    call: async (tool, input = {}, timeoutMs) => {
      const from = performance.now();
      const options = timeoutMs === undefined ? {} : { timeoutMs };
      const reply = await kernel.call(`connections.${tool}`, input, options);
      const at = performance.now();
      const times = { ms: at - from, at };
      if (!reply.ok) return { ok: false, error: reply.error, ...times };
      const { content } = reply.value as { readonly content: readonly { readonly text: string }[] };
      return { ok: true, text: content[0]?.text ?? "", result: reply.value, ...times };
    },
    becomes: (name, state) =>
      vi.waitFor(
        async () => {
          const now = await status(name);
          if (now?.state !== state) throw new Error(`${name} is ${now?.state}: ${now?.error}`);
        },
        { timeout: 60_000, interval: 5 },
      ),
    close: async () => {
      stop.abort();
      await following;
      await kernel.close();
      if (kept === undefined) rmSync(stateDir, { recursive: true });
    },
  };
};
