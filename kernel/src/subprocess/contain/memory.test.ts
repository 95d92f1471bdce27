import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { privateBytes } from "./memory.ts";

const mebibyte = 1_048_576;

it.runIf(process.platform === "linux")("counts what a process and its children have to themselves, once", async () => {
  const child = spawn("sh", [
    "-c",
    `"$0" -e '
    const own = Buffer.alloc(64 * ${mebibyte}, 1);
    process.stdout.write("ready");
    process.stdin.on("data", () => process.exit(own.length > 0 ? 0 : 1));
  '; exit $?`,
    process.execPath,
  ]);
  try {
    await once(child.stdout, "data");
    const bytes = privateBytes(child.pid ?? 0) ?? 0;
    expect(bytes).toBeGreaterThan(64 * mebibyte);
    // The binary of Node alone has more than 60 MiB of pages that all its processes share.
    expect(bytes).toBeLessThan(150 * mebibyte);
  } finally {
    child.stdin.write("end");
    await once(child, "exit");
  }
  expect(privateBytes(child.pid ?? 0)).toBeUndefined();
});
