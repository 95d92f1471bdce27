/** Builds the disk that fails, and runs sessions of keyed calls on it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import type { DiskFigures } from "./failing-disk-process.ts";

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** False on a machine without a C compiler, or that is not Linux. */
export const hasCompiler = (): boolean => {
  try {
    execFileSync("gcc", ["--version"], { stdio: "ignore" });
    return process.platform === "linux";
  } catch {
    return false;
  }
};

export const runOnFailingDisk = async (sessions: number, seed: number): Promise<DiskFigures> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-disk-"));
  try {
    const library = join(folder, "failing-disk.so");
    await execa("gcc", ["-shared", "-fPIC", "-O1", "-o", library, file("failing-disk.c"), "-ldl"]);
    const args = [
      "--conditions=@fairlead/source",
      file("failing-disk-process.ts"),
      String(sessions),
      String(seed),
      folder,
    ];
    const { stdout } = await execa(process.execPath, args, { env: { LD_PRELOAD: library } });
    return JSON.parse(stdout) as DiskFigures;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
