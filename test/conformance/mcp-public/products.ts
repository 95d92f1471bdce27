/**
 * The suite's tools that need nothing but tools: they go the way of every Fairlead tool, through the endpoint, dispatch and the
 * mapping of replies. Their names and their words are the suite's.
 */
import { setImmediate } from "node:timers/promises";
// @boundaries-ignore the test looks inside the kernel
import type { FakeProcedure } from "../../../kernel/src/testing/mcp-fake.ts";
import schema2020 from "./schema-2020-12.json" with { type: "json" };

const object = { type: "object" } as const;
const said = (text: string): FakeProcedure => ({
  run: () => ({ ok: true, value: text }),
  wrapped: true,
  tool: { outputSchema: { ...object, properties: { value: { type: "string" } }, required: ["value"] } },
});

/** Keyed by procedure; the part after the dot is the tool's name already. */
export const products: Readonly<Record<string, FakeProcedure>> = {
  "suite.test_simple_text": said("This is a simple text response for testing."),
  "suite.test_streaming_elicitation": said("nothing but a result on this stream"),
  "suite.test_error_handling": {
    run: () => ({
      ok: false,
      error: { code: "internal", message: "This tool intentionally returns an error for testing", retryable: false },
    }),
  },
  "suite.test_tool_with_progress": {
    run: async ({ onProgress }) => {
      for (const progress of [0, 50, 100]) {
        onProgress?.({ progress, total: 100, message: `Completed step ${progress} of 100` });
        await setImmediate();
      }
      return { ok: true, value: { done: true } };
    },
  },
  "mirror.test_x_mcp_header": {
    run: ({ input }) => ({ ok: true, value: { input } }),
    tool: {
      inputSchema: {
        type: "object",
        properties: {
          region: { type: "string", description: "Repeated in a header", "x-mcp-header": "Region" },
          level: { type: "integer", description: "Not repeated" },
        },
      },
    },
  },
  "suite.json_schema_2020_12_tool": {
    run: ({ input }) => ({ ok: true, value: { input } }),
    tool: { inputSchema: schema2020 },
  },
};
