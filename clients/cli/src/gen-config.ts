/** The `gen` section of the configuration, checked by codegen's schema. */
import type { GenerateOptions } from "@fairlead/codegen";
import type { Context } from "./context.ts";
import { UsageError } from "./failure.ts";
import { nearest } from "./suggest.ts";

/** What to generate, and where; the section's defaults when the file has none. */
export const genOptions = async (context: Context): Promise<GenerateOptions> => {
  const { genConfigSchema } = await import("@fairlead/codegen");
  const { root, path, value } = await context.configFile();
  const result = genConfigSchema.safeParse(value.gen ?? {});
  if (result.success) return { root, config: result.data };
  const known = Object.keys(genConfigSchema.shape);
  const issues = result.error.issues.flatMap((issue) => {
    const at = ["gen", ...issue.path.map(String)];
    if (issue.code !== "unrecognized_keys") return [{ path: at.join("."), expected: issue.message, fix: "correct it" }];
    return issue.keys.map((key) => {
      const near = at.length === 1 ? nearest(key, known) : undefined;
      const fix = near === undefined ? "remove it" : `did you mean ${near}?`;
      return { path: [...at, key].join("."), expected: "a known setting", fix };
    });
  });
  throw new UsageError(`the section \`gen\` of ${path ?? "the configuration"} is wrong`, "mend the settings above", {
    issues,
  });
};
