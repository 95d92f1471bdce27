/** Modules of services: what throws or hangs while it is imported takes down its own service, and heals without a new kernel. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKernel } from "@fairlead/kernel";
import { expect, onTestFinished } from "vitest";
import type { SupervisionCase } from "./case.ts";
import { inProcess, manifestOf } from "./kit.ts";

const path = (specifier: string): string => JSON.stringify(import.meta.resolve(specifier));

const head = `
  import { defineService } from ${path("@fairlead/kernel/service")};
  import { defineContract, query } from ${path("@fairlead/contracts")};
  import * as z from ${path("zod")};
  const contract = (id) => defineContract({ id, version: "1.0.0", summary: "Answers.", procedures: {
    ask: query({ summary: "Answers.", input: z.object({}), output: z.string() }),
  } });`;

export const importCases: readonly SupervisionCase[] = [
  {
    name: "the import of a service throws, or hangs",
    trusted: "OTP: an application that does not load takes down its own tree, if it is not permanent",
    ours: "that service is `Failed` with the reason; the others run",
    check: async () => {
      const sound = `${head}
        export default defineService(contract("sound"), () => ({ handlers: { ask: () => "" } }));`;
      const folder = mkdtempSync(join(tmpdir(), "fairlead-imports-"));
      writeFileSync(join(folder, "sound.mjs"), sound);
      writeFileSync(join(folder, "broken.mjs"), '\nthrow new Error("no licence");');
      const manifest = manifestOf(folder, ["sound", "broken"]);
      const kernel = await openKernel({ manifest, env: {}, log: () => {} });
      onTestFinished(async () => {
        await kernel.close();
        rmSync(folder, { recursive: true });
      });
      await kernel.started();
      const memory = kernel.connect();
      const reply = await memory.call("kernel.services", {});
      expect(reply).toMatchObject({
        ok: true,
        value: { services: expect.arrayContaining([expect.objectContaining({ id: "sound", state: "Ready" })]) },
      });
      expect(await memory.call("broken.find", {})).toMatchObject({
        ok: false,
        error: {
          code: "unavailable",
          message: expect.stringContaining("no licence"),
          retryable: false,
        },
      });
    },
  },
  {
    name: "a service whose import failed is restarted after what it imports was corrected",
    trusted: "OTP: code that could not be loaded is loaded again by the next start",
    ours: "imported again with all its own files; its procedures can be called, without a new kernel",
    check: async () => {
      const { out, err } = await inProcess("import-process.ts", "import");
      expect({ answers: JSON.parse(out), err }).toEqual({
        answers: [
          expect.stringContaining("the database is away"),
          expect.stringContaining("it is still away"),
          "welcome",
        ],
        err: "",
      });
    },
  },
  {
    name: "a service whose handlers could not be read is restarted after they were corrected",
    trusted: "OTP: code that could not be loaded is loaded again by the next start",
    ours: "its module and the handlers below it are imported again",
    check: async () => {
      const { out, err } = await inProcess("import-process.ts", "handlers");
      expect({ answers: JSON.parse(out), err }).toEqual({
        answers: [expect.stringContaining("could not be loaded"), "welcome"],
        err: "",
      });
    },
  },
  {
    name: "a module ends the process while it is imported",
    trusted: "OTP: init:stop in an application takes down the node; every other exit takes down its own tree",
    ours: "the import fails with the place of the call; the kernel and the other services live on, and it heals as others do",
    check: async () => {
      const { out, err } = await inProcess("import-process.ts", "exit");
      expect({ answers: JSON.parse(out), err }).toEqual({
        answers: [expect.stringContaining("it calls process.exit(0) while it is imported"), "welcome"],
        err: "",
      });
    },
  },
];
