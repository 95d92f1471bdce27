/** `fairlead services events` beside a kernel in the test's own process. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKernel } from "@fairlead/kernel";
import { expect, onTestFinished, test } from "vitest";
import { parseError } from "./command-process.ts";
import { runHere } from "./in-process.ts";

/** Resolves once a server of this process is asked for the kernel's events. */
const untilFollowed = (): Promise<void> =>
  new Promise((resolve) => {
    const channel = "http.server.request.start";
    const look = (message: unknown): void => {
      if (!(message as { request: { url: string } }).request.url.startsWith("/api/kernel/events")) return;
      unsubscribe(channel, look);
      resolve();
    };
    subscribe(channel, look);
  });

test("ends in words when the kernel has", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-events-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kernel = await openKernel({
    services: [],
    env: {},
    flags: { port: 0, stateDir: folder },
    log: () => undefined,
  });
  const url = (await kernel.serve()).http.replace(/\/api$/, "");
  const followed = untilFollowed();
  const following = runHere(["services", "events", "--url", url], { cwd: folder });
  await followed;
  await kernel.close();
  const ended = await following;
  expect(ended).toMatchObject({ code: 4 });
  expect(parseError(ended)).toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/^the kernel has ended/),
  });
});
