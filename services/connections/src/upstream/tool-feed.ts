/**
 * An upstream's list of tools: read once, and again at every notification of a change. In the stateless era the notifications need a
 * subscription. Not here: what is in the list (`tools/tool-list.ts`).
 */
import type { Client } from "@modelcontextprotocol/client";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { BadAnswer } from "./bad-answer.ts";
import { type HeaderParameter, parameterHeaders } from "./call-headers.ts";
import { listTools, toolHeaderParameters, withoutBadHeaders } from "./tool-pages.ts";

interface ToolFeedOptions {
  readonly client: Client;
  /** Milliseconds for a page of the list. */
  readonly pageMs: number;
  /** True over HTTP, where tools may want arguments repeated in headers. */
  readonly hasHeaders: boolean;
  readonly changed: (tools: readonly unknown[]) => void;
  /** Something went wrong that may mean more than that. */
  readonly checkAlive: () => void;
}

const resubscribeMs = 5_000;

export class ToolFeed {
  readonly #options: ToolFeedOptions;
  #headerParameters: ReadonlyMap<string, readonly HeaderParameter[]> = new Map();
  #phase: "opening" | "open" | "over" = "opening";
  #isListing = false;
  #listAgain = false;

  constructor(options: ToolFeedOptions) {
    this.#options = options;
  }

  /** Rejects with a `BadAnswer` when what arrived is not a list. */
  async list(pageMs = this.#options.pageMs): Promise<readonly unknown[]> {
    const { client, hasHeaders } = this.#options;
    const listed = await listTools(client, pageMs);
    const tools = hasHeaders ? await withoutBadHeaders(client, listed, pageMs) : listed;
    this.#headerParameters = hasHeaders ? toolHeaderParameters(tools) : new Map();
    return tools;
  }

  /** The headers that a tool needs in addition to those of every call. */
  headers(tool: string, input: unknown): Readonly<Record<string, string>> {
    const parameters = this.#headerParameters.get(tool);
    return parameters === undefined ? {} : parameterHeaders(parameters, input);
  }

  /** Reports changes, those since the first list included, until this is interrupted. */
  get run(): Effect.Effect<void> {
    const begin = Effect.sync(() => {
      this.#phase = "open";
      if (this.#listAgain) void this.refresh();
    });
    return begin.pipe(
      Effect.andThen(this.#needsSubscription() ? this.#follow : Effect.never),
      Effect.ensuring(Effect.sync(() => (this.#phase = "over"))),
    );
  }

  /** Lists the tools again; a change meanwhile means once more. */
  async refresh(): Promise<void> {
    this.#listAgain = true;
    if (this.#isListing) return;
    this.#isListing = true;
    try {
      while (this.#listAgain && this.#phase === "open") {
        this.#listAgain = false;
        this.#options.changed(await this.list());
      }
    } catch (error) {
      if (!(error instanceof BadAnswer)) this.#options.checkAlive();
    } finally {
      this.#isListing = false;
    }
  }

  /** In the session era, changes are announced without one. */
  #needsSubscription(): boolean {
    const { client } = this.#options;
    return client.getProtocolEra() === "modern" && client.getServerCapabilities()?.tools?.listChanged === true;
  }

  /** Subscribes, and again after a while whenever the subscription ends. */
  get #follow(): Effect.Effect<void> {
    const { client, checkAlive } = this.#options;
    const subscription = Effect.acquireRelease(
      Effect.tryPromise(() => client.listen({ toolsListChanged: true })),
      (opened) => Effect.ignore(Effect.tryPromise(() => opened.close())),
      { interruptible: true },
    );
    const ended = Effect.flatMap(subscription, ({ closed }) => Effect.tryPromise(() => closed));
    return Effect.scoped(ended).pipe(
      Effect.orElseSucceed(() => "lost" as const),
      Effect.tap((how) => (how === "local" ? Effect.void : Effect.sync(checkAlive))),
      Effect.repeat({ schedule: Schedule.spaced(resubscribeMs), until: (how) => how === "local" }),
      Effect.asVoid,
    );
  }
}
