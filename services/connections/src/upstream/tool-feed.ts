/**
 * An upstream's list of tools: read once, and again at every notification of a change. In the stateless era the notifications need a
 * subscription. Not here: what is in the list (`tools/tool-list.ts`).
 */
import type { Client, McpSubscription } from "@modelcontextprotocol/client";
import { BadAnswer } from "./bad-answer.ts";
import { type HeaderParameter, parameterHeaders } from "./call-headers.ts";
import { listTools, toolHeaderParameters, withoutBadHeaders } from "./tool-pages.ts";

export interface ToolFeedOptions {
  readonly client: Client;
  /** Milliseconds for a page of the list. */
  readonly pageMs: number;
  /** True over HTTP, where tools may want arguments repeated in headers. */
  readonly hasHeaders: boolean;
  readonly changed: (tools: readonly unknown[]) => void;
  /** Something went wrong that may mean more than that. */
  readonly checkAlive: () => Promise<void>;
}

const resubscribeMs = 5_000;

export class ToolFeed {
  readonly #parts: ToolFeedOptions;
  #subscription: McpSubscription | undefined;
  #headerParameters: ReadonlyMap<string, readonly HeaderParameter[]> = new Map();
  #phase: "opening" | "open" | "over" = "opening";
  #isListing = false;
  #listAgain = false;

  constructor(parts: ToolFeedOptions) {
    this.#parts = parts;
  }

  /** Rejects with a `BadAnswer` when what came is no list. */
  async list(): Promise<readonly unknown[]> {
    const { client, pageMs, hasHeaders } = this.#parts;
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

  /** Reports changes from now on, those since the first list included. Does nothing after `stop`. */
  start(): void {
    if (this.#phase === "over") return;
    this.#phase = "open";
    if (this.#parts.client.getProtocolEra() === "modern") void this.#subscribe();
    if (this.#listAgain) void this.refresh();
  }

  /** Lists the tools again; a change meanwhile means once more. */
  async refresh(): Promise<void> {
    this.#listAgain = true;
    if (this.#isListing) return;
    this.#isListing = true;
    try {
      while (this.#listAgain && this.#phase === "open") {
        this.#listAgain = false;
        this.#parts.changed(await this.list());
      }
    } catch (error) {
      if (!(error instanceof BadAnswer)) void this.#parts.checkAlive();
    } finally {
      this.#isListing = false;
    }
  }

  /** No change is reported any more. */
  stop(): void {
    this.#phase = "over";
  }

  async close(): Promise<void> {
    this.stop();
    await this.#subscription?.close().catch(() => undefined);
  }

  async #subscribe(): Promise<void> {
    const { client, checkAlive } = this.#parts;
    if (client.getServerCapabilities()?.tools?.listChanged !== true || this.#phase === "over") return;
    try {
      this.#subscription = await client.listen({ toolsListChanged: true });
      if ((await this.#subscription.closed) === "local") return;
      await checkAlive();
    } catch {
      await checkAlive();
    }
    if (this.#phase === "open") setTimeout(() => void this.#subscribe(), resubscribeMs).unref();
  }
}
