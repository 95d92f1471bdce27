/**
 * The `gen` section of the configuration: where contracts and services are, and where generated files go. All paths are
 * relative to the project's root.
 */
import * as z from "zod";

const folder = z.string().min(1).max(400);

const out = z.union([
  folder,
  z.strictObject({
    schemas: folder.describe("JSON Schema and OpenAPI documents"),
    kernel: folder.describe("manifest, router and tools, which the kernel loads"),
    client: folder.describe("the typed client and the flat AppRouter"),
  }),
]);

/** What `gen` of `fairlead.config.ts` may hold: where contracts are, and where generated files go. */
export const genConfigSchema = z.strictObject({
  contracts: z
    .array(folder)
    .min(1)
    .default(["contracts"])
    .describe("folders that are searched for *.contract.ts and *.contract.js (.mts, .cts, .mjs and .cjs as well)"),
  services: folder.default("services").describe("folder with one service a folder or a file"),
  include: z
    .array(z.string().min(1).max(400))
    .default([])
    .describe(
      "packages of services, like @fairlead/service-rules, and module specifiers of contracts that come from elsewhere",
    ),
  proof: z.int().min(0).max(10_000).default(50).describe("values that each schema is proved with; 0 for no proof"),
  loadTimeoutMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(15_000)
    .describe("milliseconds that one contract file may take to load; four times as many to be proved"),
  out: out.default("gen").describe("one folder for everything, or one for each kind"),
  python: folder
    .regex(/(?:^|\/)[A-Za-z_]\w*$/, "the last part of it has to be a name that Python can import")
    .optional()
    .describe("folder of the Python package of typed clients, like python/shop_client; none when left out"),
});

/** `gen` of a configuration, with its defaults. */
export type GenConfig = z.output<typeof genConfigSchema>;
