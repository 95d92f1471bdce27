import type { Client } from "@modelcontextprotocol/client";
import { expect, it, vi } from "vitest";
import { ToolFeed } from "./tool-feed.ts";

it("asks for no changes when it was ended before it began", () => {
  const listen = vi.fn(() => new Promise<never>(() => undefined));
  const client = {
    getProtocolEra: () => "modern",
    getServerCapabilities: () => ({ tools: { listChanged: true } }),
    listen,
  } as unknown as Client;
  const feed = (): ToolFeed =>
    new ToolFeed({
      client,
      pageMs: 1_000,
      hasHeaders: false,
      changed: () => undefined,
      checkAlive: async () => undefined,
    });
  feed().start();
  expect(listen).toHaveBeenCalledTimes(1);
  const ended = feed();
  ended.stop();
  ended.start();
  expect(listen).toHaveBeenCalledTimes(1);
});
