/** What callers may write in TypeScript. */
import { ask, confirm, defineContract, mutation, query } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { buildServiceModel } from "../model/model.ts";
import { emitClient } from "./client.ts";

const Tags = z.object({ list: z.array(z.string()) }).meta({ id: "Tags" });
const Found = z.object({ list: z.array(z.string()) }).meta({ id: "Found" });

const emit = (contract: Parameters<typeof buildServiceModel>[0]): string | undefined =>
  emitClient({
    services: [buildServiceModel(contract, "notes.contract.ts")],
    modules: [],
    out: { schemas: "gen", kernel: "gen", client: "gen" },
    imports: { manifest: "m", call: "c", router: "r", descriptor: "d", schemas: { from: "folder", base: "." } },
  })[0]?.text;

test("what can be started says so, with the answers to its questions", () => {
  const text = emit(
    defineContract({
      id: "notes",
      version: "1.2.0",
      summary: "Notes.",
      procedures: {
        clear: mutation({
          summary: "Deletes all.",
          retry: "idempotent",
          input: z.object({}),
          output: z.object({ deleted: z.int() }),
          run: {},
          questions: {
            sure: confirm({ when: "there are any" }),
            which: ask({ when: "there are many", answer: z.object({ from: z.string(), most: z.int().optional() }) }),
          },
        }),
      },
    }),
  );
  expect(text).toContain('retry: "idempotent", run: true }');
  expect(text).toContain("    run: true;\n    questions: {");
  expect(text).toContain("    sure: boolean;");
  expect(text).toContain("    which: Clear_which_answer;");
  expect(text).toContain("export type Clear_which_answer = {\n  from: string;\n  most?: number | undefined;\n};");
});

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
  const text = emit(contract);
  expect(text).toContain("own: readonly string[];");
  expect(text).toContain("export type Tags = {\n  list: readonly string[];\n};");
  expect(text).toContain("export type Found = {\n  list: string[];\n};");
});
