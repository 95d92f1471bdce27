/** How the sandbox of an upstream's program is held: what the kernel's subprocesses are denied, or why that cannot be had. */
import { stat } from "node:fs/promises";
import { type LineProcessSpec, probeContainment } from "@fairlead/kernel/subprocess";
import type { Observation } from "../machine/fault.ts";
import type { Sandbox } from "../machine/target.ts";

type ProgramLimits = Pick<LineProcessSpec, "deny" | "folders" | "limits">;

type SandboxPlan =
  | { readonly ok: true; readonly spec: ProgramLimits }
  | { readonly ok: false; readonly seen: Observation };

type ContainmentProbe = () => Promise<Pick<Awaited<ReturnType<typeof probeContainment>>, "denials" | "detail">>;

/** A program that cannot be held is not to be started. @param probe what this system can do */
export const holdSandbox = async (
  sandbox: Sandbox | undefined,
  probe: ContainmentProbe = probeContainment,
): Promise<SandboxPlan> => {
  if (sandbox === undefined) return { ok: true, spec: {} };
  const { network, write, hide, memoryMb } = sandbox;
  const deny = network ? (["writing"] as const) : (["network", "writing"] as const);
  const { denials, detail } = await probe();
  const missing = deny.filter((one) => !denials.includes(one));
  if (missing.length > 0) {
    const why = `a program cannot be denied ${missing.join(" and ")} (${detail})`;
    return { ok: false, seen: { what: "sandbox", why } };
  }
  if (memoryMb !== undefined && process.platform !== "linux")
    return { ok: false, seen: { what: "sandbox", why: `memory has no limit on ${process.platform}` } };
  for (const path of [...write, ...hide]) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() !== true) return { ok: false, seen: { what: "folder", path, use: "sandbox" } };
  }
  return {
    ok: true,
    spec: {
      deny,
      folders: { writable: write, hidden: hide },
      ...(memoryMb !== undefined && { limits: { addressBytes: memoryMb * 1_048_576 } }),
    },
  };
};
