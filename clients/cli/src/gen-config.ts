/** The `gen` section of the configuration, checked by codegen's schema. */
import type { GenConfig, GenerateOptions } from "@fairlead/codegen";
import type { Context } from "./context.ts";
import { UsageError } from "./failure.ts";

/** What to generate, and where; the section's defaults when the file has none. */
export const genOptions = async (context: Context): Promise<GenerateOptions> => {
  const [{ genConfigSchema }, { decoder }] = await Promise.all([
    import("@fairlead/codegen"),
    import("@fairlead/contracts"),
  ]);
  const { root, path, value } = await context.configFile();
  const decoded = decoder<GenConfig>(genConfigSchema, ["gen"])(value.gen ?? {});
  if (decoded.ok) return { root, config: decoded.value };
  throw new UsageError(`the section \`gen\` of ${path ?? "the configuration"} is wrong`, "mend the settings above", {
    issues: decoded.issues,
  });
};
