/** Sessions of one machine: what holds for all, and that a file has them after the process that saved them. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testSessions } from "../testing/session-suite.ts";
import { FileSessions } from "./session-file.ts";

const makeFolder = (): string => mkdtempSync(join(tmpdir(), "fairlead-sessions-"));

describe("sessions in a file", () => {
  testSessions(() => {
    const sessions = new FileSessions(makeFolder());
    return { sessions, close: () => sessions.close() };
  });

  it("are there when it is opened again", async () => {
    const folder = makeFolder();
    const first = new FileSessions(folder);
    await first.save("kept", { round: 3 }, undefined);
    first.close();
    const second = new FileSessions(folder);
    expect(await second.load("kept")).toEqual({ value: { round: 3 }, version: 1, epoch: 0 });
    second.close();
  });
});
