import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makePrivateFolder } from "./private-folder.ts";

const base = mkdtempSync(join(tmpdir(), "fairlead-folder-"));
afterAll(() => rmSync(base, { recursive: true }));

test("makes all that is missing, for its owner alone, and finds it there the next time", () => {
  const folder = join(base, "a", "b");
  makePrivateFolder(folder);
  makePrivateFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

const file = join(base, "file");
writeFileSync(file, "");

test.each([file, join(file, "below"), ...(existsSync("/proc/self") ? ["/proc/nope", "/proc/nope/below"] : [])])(
  "says which folder cannot be made, and ends: %s",
  (folder) => {
    expect(() => makePrivateFolder(folder)).toThrow(
      expect.objectContaining({ code: "failed_precondition", message: expect.stringContaining(folder) }),
    );
  },
);
