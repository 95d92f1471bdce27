/**
 * A program on disk: where it is, and why it cannot be run. Looked up by ourselves because a launcher would hide what is wrong: behind the
 * shell of the gate a file of another system would be read as a script. Not here: starting it (`launch.ts`).
 */
import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Fault } from "../protocol/subprocess-error.ts";

type FoundProgram =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly fault: Extract<Fault, { readonly kind: "missing" | "unrunnable" }> };

interface Lookup {
  readonly cwd: string;
  /** Of the process that is to be started, as in PATH. */
  readonly path: string;
}

/** The program's file, or why there is nothing to run: no such file, one that may not be executed, or one that this system cannot execute. */
export const findProgram = (command: string, lookup: Lookup): FoundProgram => {
  const file = find(command, lookup, isProgram);
  if (file === undefined) {
    const plain = find(command, lookup, isFile);
    const what = plain === undefined ? "program" : "permission";
    return { ok: false, fault: { kind: "missing", what, path: plain ?? command } };
  }
  const why = unrunnable(file);
  return why === undefined ? { ok: true, file } : { ok: false, fault: { kind: "unrunnable", path: file, why } };
};

const find = (command: string, { cwd, path }: Lookup, accepts: (path: string) => boolean): string | undefined => {
  if (isAbsolute(command)) return accepts(command) ? command : undefined;
  if (command.includes("/") || command.includes("\\")) {
    const relative = resolve(cwd, command);
    return accepts(relative) ? relative : undefined;
  }
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => endings.map((ending) => join(folder, command + ending)))
    .find(accepts);
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
};

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const headBytes = 256;

/** Why the system would not execute it. What cannot be read, or is of a kind that is not known here, is left to the system. */
const unrunnable = (file: string): string | undefined => {
  if (process.platform === "win32") return undefined;
  const head = readHead(file);
  if (head === undefined) return undefined;
  if (head.length === 0) return "it is empty";
  const interpreter = /^#![ \t]*(\S+)/.exec(head.toString("latin1"))?.[1];
  if (interpreter !== undefined)
    return isFile(interpreter) ? undefined : `its interpreter ${interpreter} does not exist`;
  const format = formatProblem(head, { platform: process.platform, arch: process.arch });
  return format === undefined || translatesFormats() ? undefined : format;
};

const readHead = (file: string): Buffer | undefined => {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(descriptor, head, 0, headBytes, 0));
  } catch {
    // It may be executed and not read.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
};

const formats: readonly { readonly magic: string; readonly platform: string; readonly name: string }[] = [
  { magic: "7f454c46", platform: "linux", name: "an ELF program" },
  { magic: "cffaedfe", platform: "darwin", name: "a program for macOS" },
  { magic: "cefaedfe", platform: "darwin", name: "a program for macOS" },
  { magic: "cafebabe", platform: "darwin", name: "a program for macOS" },
  { magic: "4d5a", platform: "win32", name: "a program for Windows" },
];

/** ELF's numbers of the processors that Node runs on, with those that they also execute. */
const machines: Readonly<Partial<Record<string, ReadonlyMap<number, string>>>> = {
  x64: new Map([
    [62, "x64"],
    [3, "ia32"],
  ]),
  arm64: new Map([
    [183, "arm64"],
    [40, "arm"],
  ]),
};
const allMachines = new Map([...Object.values(machines)].flatMap((some) => [...(some ?? [])]));

/** Why a file that begins with these bytes is not a program of that system; nothing where that is not known. */
export const formatProblem = (
  head: Buffer,
  { platform, arch }: { readonly platform: string; readonly arch: string },
): string | undefined => {
  const format = formats.find(({ magic }) => head.subarray(0, magic.length / 2).toString("hex") === magic);
  if (format === undefined) return undefined;
  if (format.platform !== platform) return `it is ${format.name}, and this is ${platform}`;
  const known = machines[arch];
  if (platform !== "linux" || known === undefined || head.length < 20) return undefined;
  const machine = head[5] === 1 ? head.readUInt16LE(18) : head.readUInt16BE(18);
  if (known.has(machine)) return undefined;
  return `it is ${format.name} for ${allMachines.get(machine) ?? "another processor"}, and this is ${arch}`;
};

/** Whether Linux hands files of other formats to an emulator. */
const translatesFormats = (): boolean => {
  try {
    return readdirSync("/proc/sys/fs/binfmt_misc").some((name) => name !== "register" && name !== "status");
  } catch {
    return false;
  }
};
