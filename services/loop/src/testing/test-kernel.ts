/** The loop service on the memory transport over a temporary repository: what tests of its tools start from. */
import type { loop } from "@fairlead/contracts/loop";
import { type MemoryKernel, openMemoryKernel } from "@fairlead/kernel/memory";
import { loopService } from "../service.ts";
import { countingIds, type IdSource } from "../value/id.ts";
import { type Repository, temporaryFolder, temporaryRepository, tickingClock } from "./repository.ts";
import type { SessionDriver } from "./scripted-model.ts";

export const files = {
  "src/part-1.ts": "one\n",
  "package.json": '{"devDependencies":{"vitest":"1","typescript":"5"}}',
  Makefile: "all:\n\t@test ! -f broken\n",
};

/** Replies are JSON; tests read them as such. */
export interface ToolReply {
  readonly [field: string]: ReturnType<typeof JSON.parse>;
}

export class LoopTestKernel {
  readonly repository: Repository = temporaryRepository(files);
  readonly #state = temporaryFolder();
  #kernel: MemoryKernel;

  constructor() {
    this.#kernel = this.#open({}, countingIds());
  }

  #open(config: Readonly<Record<string, unknown>>, ids: IdSource): MemoryKernel {
    return openMemoryKernel([loopService(() => ({ clock: tickingClock(), ids, folder: this.repository.path }))], {
      config: { loop: config },
      stateDir: this.#state.path,
    });
  }

  /** Stops the kernel and starts another one. */
  async restart(config: Readonly<Record<string, unknown>> = {}, ids: IdSource = countingIds()): Promise<void> {
    await this.#kernel.close();
    this.#kernel = this.#open(config, ids);
  }

  /** The value, or a thrown error with the wire's fields. */
  async call(name: keyof typeof loop.procedures, input: Readonly<Record<string, unknown>> = {}): Promise<ToolReply> {
    const reply = await this.#kernel.call(`loop.${name}`, input);
    if (reply.ok) return reply.value as ToolReply;
    throw Object.assign(new Error(reply.error.message), reply.error);
  }

  /** Starts a session and reports these proposals. */
  async scout(proposals: readonly unknown[], settings: Readonly<Record<string, unknown>> = {}): Promise<ToolReply> {
    const started = await this.call("startSession", settings);
    await this.call("advance");
    await this.call("ingestEvent", { type: "SCOUT_OUTPUT", payload: { proposals } });
    return started;
  }

  get driver(): SessionDriver {
    return {
      advance: async () => (await this.call("advance")) as unknown as Awaited<ReturnType<SessionDriver["advance"]>>,
      ingest: (type, payload) => this.call("ingestEvent", { type, payload }),
    };
  }

  async close(): Promise<void> {
    await this.#kernel.close();
    this.repository.remove();
    this.#state.remove();
  }
}
