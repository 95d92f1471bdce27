/**
 * A module with all that it imports as one script, `const library = …`, for a process that has none of our files. Node's own modules are
 * loaded from the process. Used when the repository is generated and tested, never when it runs.
 */
import { rolldown } from "rolldown";

/** The script; `entry` is a file that exports the library by default. */
export const bundle = async (entry: string): Promise<string> => {
  const build = await rolldown({
    input: entry,
    external: /^node:/,
    platform: "node",
    resolve: { conditionNames: ["@fairlead/source", "import"] },
    // Declarations enter themselves in a table when their module loads: that is an effect which a library has to keep.
    treeshake: { moduleSideEffects: true },
    logLevel: "silent",
  });
  try {
    const { output } = await build.generate({
      format: "iife",
      name: "library",
      globals: (id) => `process.getBuiltinModule(${JSON.stringify(id)})`,
      minify: true,
    });
    const [chunk] = output;
    return chunk.code;
  } finally {
    await build.close();
  }
};
