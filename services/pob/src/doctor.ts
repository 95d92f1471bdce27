/** What Path of Building needs on this machine, row by row, each with the command that would mend it. Starts nothing. */
import { existsSync, readFileSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Settings } from "./settings.ts";

export interface DoctorRow {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix?: string;
}

export const doctorRows = (settings: Settings): readonly DoctorRow[] => [
  programRow(settings.command),
  checkoutRow(settings),
  ...(settings.problem === undefined ? [versionRow(settings), treeRow(settings)] : []),
];

const programRow = (command: string): DoctorRow => {
  const found = isAbsolute(command)
    ? existsSync(command)
    : (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, command)));
  return found
    ? { name: "LuaJIT", ok: true, detail: command }
    : {
        name: "LuaJIT",
        ok: false,
        detail: `the program ${command} is not in PATH`,
        fix: "apt-get install luajit, brew install luajit, or set POB_CMD to its path",
      };
};

const checkoutRow = ({ cwd, kind, problem }: Settings): DoctorRow =>
  problem === undefined
    ? { name: "Path of Building", ok: true, detail: `${cwd} (${kind})` }
    : { name: "Path of Building", ok: false, detail: problem.why, fix: problem.fix };

const versionRow = ({ cwd }: Settings): DoctorRow => {
  const path = [join(cwd, "..", "manifest.xml"), join(cwd, "manifest.xml")].find((one) => existsSync(one));
  const version =
    path === undefined ? undefined : /<Version[^>]*\bnumber="([^"]+)"/.exec(readFileSync(path, "utf8"))?.[1];
  return { name: "version", ok: true, detail: version ?? "unknown: there is no manifest.xml" };
};

const treeRow = ({ cwd, kind }: Settings): DoctorRow => {
  const present = kind === "custom" || existsSync(join(cwd, "TreeData"));
  return present
    ? { name: "passive trees", ok: true, detail: join(cwd, "TreeData") }
    : {
        name: "passive trees",
        ok: false,
        detail: `${cwd} has no TreeData`,
        fix: "check the repository out in full: git checkout -- src/TreeData",
      };
};
