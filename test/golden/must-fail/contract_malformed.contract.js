import * as z from "zod";

export default {
  id: "bad",
  version: "1.0.0",
  summary: "Is malformed.",
  procedures: {
    look: {
      kind: "query",
      retry: "safe",
      summary: "Looks.",
      input: z.object({}),
      output: z.int().describe("It"),
      polcy: {},
    },
  },
};
