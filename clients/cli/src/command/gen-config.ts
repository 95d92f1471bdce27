/** The `gen` section of the configuration, for `fairlead gen`. */
import type { GenerateOptions } from "@fairlead/codegen";
import type { GenConfig } from "@fairlead/contracts";
import type { Context } from "./context.ts";
import { UsageError } from "./failure.ts";

/** What to generate, and where; the section's defaults when the file has none. */
export const genOptions = async (context: Context): Promise<GenerateOptions> => {
  const { decoder, genConfigSchema } = await import("@fairlead/contracts");
  const { root, path, value } = await context.configFile();
  const decoded = decoder<GenConfig>(genConfigSchema, ["gen"])(value.gen ?? {});
  if (decoded.ok) return { root, config: decoded.value };
  throw new UsageError(`the section \`gen\` of ${path ?? "the configuration"} is wrong`, "correct the settings above", {
    issues: decoded.issues,
  });
};
