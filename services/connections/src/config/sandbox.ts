/** How the sandbox of an upstream's program is held: what the kernel's subprocesses are denied, or why that cannot be had. */
import { realpath, stat } from "node:fs/promises";
import { type LineProcessSpec, probeContainment } from "@fairlead/kernel/subprocess";
import type { Observation } from "../machine/fault.ts";
import type { Sandbox } from "../machine/target.ts";

type ProgramLimits = Pick<LineProcessSpec, "deny" | "folders" | "limits">;

type SandboxPlan =
  | { readonly ok: true; readonly spec: ProgramLimits }
  | { readonly ok: false; readonly seen: Observation };

type ContainmentProbe = () => Promise<Pick<Awaited<ReturnType<typeof probeContainment>>, "denials" | "detail">>;

/**
 * A program that cannot be held is not to be started.
 * @param owners folders that it finds empty whatever its sandbox says, where they are there
 * @param probe what this system can do
 */
export const holdSandbox = async (
  sandbox: Sandbox | undefined,
  owners: readonly string[],
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
    if (!(await isFolder(path))) return { ok: false, seen: { what: "folder", path, use: "sandbox" } };
  }
  const present = await Promise.all(owners.map(isFolder));
  const hidden = [...hide, ...owners.filter((_, index) => present[index])];
  const covered = await findCovered(write, hidden);
  if (covered !== undefined) return { ok: false, seen: { what: "sandbox", why: covered } };
  return {
    ok: true,
    spec: {
      deny,
      folders: { writable: write, hidden },
      ...(memoryMb !== undefined && { limits: { addressBytes: memoryMb * 1_048_576 } }),
    },
  };
};

/** Why a folder to write in would not be there; nothing when all are. */
const findCovered = async (write: readonly string[], hidden: readonly string[]): Promise<string | undefined> => {
  const covers = await Promise.all(hidden.map((folder) => realpath(folder)));
  for (const path of write) {
    const real = await realpath(path);
    const cover = covers.find((one) => real === one || real.startsWith(one.endsWith("/") ? one : `${one}/`));
    if (cover !== undefined) return `it is to write in ${path}, and ${cover} is hidden from it`;
  }
  return undefined;
};

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
