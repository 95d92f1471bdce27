/**
 * What the entries of a `.mcp.json` started or led to when they were first seen. Others write that file, so that an entry which has become
 * another waits for approval before anything of it runs. One JSON file in the service's own folder, as the pins of tools.
 */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Target } from "./core/target.ts";

export interface ApprovedTargets {
  /** The target as it may be used: held when it is not what was approved. The first one seen is approved. */
  judge(name: string, target: Target): Target;
  approve(name: string, target: Target): void;
}

const shape = z.record(z.string(), z.string());

/** @param folder made when something is first kept */
export const openApprovedTargets = (folder: () => string): ApprovedTargets => {
  const file = (): string => join(folder(), "targets.json");
  let known: Map<string, string> | undefined;

  const load = (): Map<string, string> => {
    try {
      return new Map(Object.entries(shape.parse(JSON.parse(readFileSync(file(), "utf8")))));
    } catch {
      return new Map();
    }
  };

  const approve = (name: string, target: Target): void => {
    known ??= load();
    known.set(name, digestOf(target));
    const next = `${file()}.next`;
    writeFileSync(next, JSON.stringify(Object.fromEntries(known)), { mode: 0o600 });
    renameSync(next, file());
  };

  return {
    judge: (name, target) => {
      known ??= load();
      const before = known.get(name);
      if (before === undefined) approve(name, target);
      return { ...target, held: before !== undefined && before !== digestOf(target) };
    },
    approve,
  };
};

/** SHA-256 of all that decides what runs or where it leads. Values of variables and headers are the user's own. */
const digestOf = (target: Target): string => {
  const parts =
    target.transport === "stdio"
      ? [target.command, target.args, target.cwd, Object.keys(target.env).toSorted()]
      : [target.url, Object.keys(target.headers).toSorted()];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
};
