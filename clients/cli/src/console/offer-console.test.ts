/** What is said of the console at a terminal, and what a typed line does. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, it } from "vitest";
import type { Context } from "../command/context.ts";
import { isForegroundStat, readLines } from "../terminal/key-lines.ts";
import { offerConsole } from "./offer-console.ts";
import { browserLaunch } from "./open-browser.ts";

const folder = mkdtempSync(join(tmpdir(), "fairlead-offer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const watched = (prompt?: () => Promise<string>) => {
  const said: string[] = [];
  const context = { json: false, io: { prompt, env: {} }, say: (text: string) => void said.push(text) };
  return { said, context: context as unknown as Context };
};

const url = "http://127.0.0.1:1/console";

it("says how the console is built where it is not", () => {
  const { said, context } = watched();
  offerConsole(context, { url, folder: join(folder, "dist") })();
  expect(said).toEqual(["the console is not built: `npm run build -w @fairlead/console`, then load its page"]);
});

it("takes the key from a person, and from no program", async () => {
  writeFileSync(join(folder, "index.html"), "");
  const program = watched();
  const lines = () => {
    throw new Error("it must not read");
  };
  offerConsole(program.context, { url, folder, lines });
  expect(program.said).toEqual([]);
  const person = watched(async () => "");
  let type: (line: string) => void = () => undefined;
  const stop = offerConsole(person.context, {
    url,
    folder,
    lines: (take) => {
      type = take;
      return () => void person.said.push("stopped");
    },
  });
  type("something else");
  stop();
  expect(person.said).toEqual(["o and Enter open the console", "stopped"]);
});

it("knows the system's program for an address, and gives it the address alone", () => {
  expect(browserLaunch(url, { platform: "linux", browser: undefined })).toEqual({ program: "xdg-open", args: [url] });
  expect(browserLaunch(url, { platform: "linux", browser: "firefox" })).toEqual({ program: "firefox", args: [url] });
  expect(browserLaunch(url, { platform: "darwin", browser: "" }).program).toBe("open");
});

it("reads lines that come in pieces, and no more once it has stopped", async () => {
  const input = new Readable({ read: () => undefined });
  const lines: string[] = [];
  const seen = Promise.withResolvers<void>();
  const stop = readLines(input, (line) => {
    lines.push(line);
    if (lines.length === 3) seen.resolve();
  });
  for (const piece of ["o\nO", "\nx", "\n", "rest"]) input.push(piece);
  await seen.promise;
  stop();
  input.push("late\n");
  expect(lines).toEqual(["o", "O", "x"]);
  expect(input.isPaused()).toBe(true);
  input.destroy();
});

it("reads nothing in the background of a terminal", () => {
  expect(isForegroundStat("7 (a (b) c) S 1 7 7 34816 7 4194304 0")).toBe(true);
  expect(isForegroundStat("7 (node) S 1 7 7 34816 99 4194304 0")).toBe(false);
  expect(isForegroundStat("")).toBe(false);
});
