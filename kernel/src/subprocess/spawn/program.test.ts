import { expect, it } from "vitest";
import { formatProblem } from "./program.ts";

const elf = (machine: number, isLittle = true): Buffer => {
  const head = Buffer.alloc(64);
  head.write("\x7fELF", "latin1");
  head[5] = isLittle ? 1 : 2;
  if (isLittle) head.writeUInt16LE(machine, 18);
  else head.writeUInt16BE(machine, 18);
  return head;
};

const linux = { platform: "linux", arch: "x64" };

it.each<[string, Buffer, typeof linux, string | undefined]>([
  ["for this processor", elf(62), linux, undefined],
  ["for one that this processor executes too", elf(3), linux, undefined],
  ["for another processor", elf(183), linux, "it is an ELF program for arm64, and this is x64"],
  [
    "for a processor that is not listed",
    elf(22, false),
    linux,
    "it is an ELF program for another processor, and this is x64",
  ],
  ["on a processor that is not known here", elf(62), { platform: "linux", arch: "riscv64" }, undefined],
  ["for Linux on macOS", elf(62), { platform: "darwin", arch: "x64" }, "it is an ELF program, and this is darwin"],
  ["for Windows", Buffer.from("MZ\x90"), linux, "it is a program for Windows, and this is linux"],
  ["for macOS", Buffer.from("cffaedfe", "hex"), linux, "it is a program for macOS, and this is linux"],
  ["for macOS there", Buffer.from("cffaedfe", "hex"), { platform: "darwin", arch: "arm64" }, undefined],
  ["that is text", Buffer.from("echo hello"), linux, undefined],
  ["cut off", Buffer.from("\x7fELF", "latin1"), linux, undefined],
])("a program %s", (_, head, system, problem) => {
  expect(formatProblem(head, system)).toBe(problem);
});
