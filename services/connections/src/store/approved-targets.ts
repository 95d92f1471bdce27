/**
 * What the entries of a `.mcp.json` started or led to when they were first seen. Others write that file, so that an entry which has become
 * another waits for approval before anything of it runs.
 */
import { createHash } from "node:crypto";
import * as z from "zod";
import type { Target } from "../machine/target.ts";
import { openJsonFile, type StoreLocation } from "./json-file.ts";

export interface ApprovedTargets {
  /** The target, waiting for approval when it is not what was approved. The first one seen is approved. */
  check(name: string, target: Target): Target;
  approve(name: string, target: Target): void;
}

export const openApprovedTargets = (place: StoreLocation): ApprovedTargets => {
  const file = openJsonFile("targets.json", z.string(), place);
  const approve = (name: string, target: Target): void => file.set(name, hashTarget(target));
  return {
    check: (name, target) => {
      const before = file.get(name);
      if (before === undefined) approve(name, target);
      return { ...target, awaitsApproval: before !== undefined && before !== hashTarget(target) };
    },
    approve,
  };
};

/** SHA-256 of all that decides what runs or where it leads. Values of variables and headers are the user's own. */
const hashTarget = (target: Target): string => {
  const parts =
    target.transport === "stdio"
      ? [target.command, target.args, target.cwd, Object.keys(target.env).toSorted()]
      : [target.url, Object.keys(target.headers).toSorted()];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
};
