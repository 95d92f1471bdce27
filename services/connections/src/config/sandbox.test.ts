import { dirname } from "node:path";
import { expect, it } from "vitest";
import type { Sandbox } from "../machine/target.ts";
import { holdSandbox } from "./sandbox.ts";

const sandbox: Sandbox = { network: false, write: [], hide: [] };
const system = (denials: readonly ("network" | "writing")[]) => () =>
  Promise.resolve({ denials, detail: "no process namespaces here" });

it("does not start what the system cannot hold, and says what is missing", async () => {
  expect(await holdSandbox(sandbox, [], system(["writing"]))).toEqual({
    ok: false,
    seen: { what: "sandbox", why: "a program cannot be denied network (no process namespaces here)" },
  });
  expect(await holdSandbox(sandbox, [], system([]))).toMatchObject({
    seen: { why: expect.stringContaining("network and writing") },
  });
  expect(await holdSandbox({ ...sandbox, network: true }, [], system(["writing"]))).toMatchObject({ ok: true });
  expect(await holdSandbox(undefined, [], system([]))).toEqual({ ok: true, spec: {} });
});

it("names a folder that is not there, and a file that is none", async () => {
  const both = system(["network", "writing"]);
  for (const path of ["/no/such/folder", import.meta.filename]) {
    const seen = { what: "folder", path, use: "sandbox" };
    expect(await holdSandbox({ ...sandbox, write: [path] }, [], both)).toEqual({ ok: false, seen });
    expect(await holdSandbox({ ...sandbox, hide: [path] }, [], both)).toEqual({ ok: false, seen });
  }
});

it("always hides the folders of the owner that are there", async () => {
  const owners = ["/no/such/folder", import.meta.dirname];
  expect(await holdSandbox({ ...sandbox, hide: ["/"] }, owners, system(["network", "writing"]))).toMatchObject({
    spec: { folders: { writable: [], hidden: ["/", import.meta.dirname] } },
  });
});

it("says which folder to write in is inside a hidden one", async () => {
  const both = system(["network", "writing"]);
  const write = [import.meta.dirname];
  const why = `it is to write in ${import.meta.dirname}, and ${dirname(import.meta.dirname)} is hidden from it`;
  const refused = { ok: false, seen: { what: "sandbox", why } };
  expect(await holdSandbox({ ...sandbox, write, hide: [`${import.meta.dirname}/../`] }, [], both)).toEqual(refused);
  expect(await holdSandbox({ ...sandbox, write }, [dirname(import.meta.dirname)], both)).toEqual(refused);
  expect(await holdSandbox({ ...sandbox, write: ["/"], hide: write }, [], both)).toMatchObject({ ok: true });
});
