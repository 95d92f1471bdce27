/** What callers may write in TypeScript. */
import { defineContract, query } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { buildServiceModel } from "../model/model.ts";
import { emitClient } from "./client.ts";

const Tags = z.object({ list: z.array(z.string()) }).meta({ id: "Tags" });
const Found = z.object({ list: z.array(z.string()) }).meta({ id: "Found" });

test("lists of a shared type may be readonly where an input has it, and are plain where only outputs do", () => {
  const contract = defineContract({
    id: "notes",
    version: "1.2.0",
    summary: "Notes.",
    procedures: {
      look: query({
        summary: "Looks.",
        input: z.object({ tags: Tags, own: z.array(z.string()) }),
        output: z.object({ tags: Tags, found: Found }),
      }),
    },
  });
  const text = emitClient({
    services: [buildServiceModel(contract, "notes.contract.ts")],
    modules: [],
    out: { schemas: "gen", kernel: "gen", client: "gen" },
    imports: { manifest: "m", call: "c", router: "r", descriptor: "d", schemas: { from: "folder", base: "." } },
  })[0]?.text;
  expect(text).toContain("own: readonly string[];");
  expect(text).toContain("export type Tags = {\n  list: readonly string[];\n};");
  expect(text).toContain("export type Found = {\n  list: string[];\n};");
});
