import type { StandardSchemaV1 } from "@modelcontextprotocol/client";

/** The schema of what is passed on: takes every result as received, so that nothing is checked twice. */
export const passThroughSchema: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "fairlead", validate: (value) => ({ value }) },
};
