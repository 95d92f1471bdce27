/** `fairlead build`: the project as one folder of JavaScript, which `node dist/` runs. */
import { join, resolve } from "node:path";
import { explainMissing } from "../build/missing-bundler.ts";
import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { genOptions } from "../command/gen-config.ts";

const build: CommandModule = {
  kernel: "none",
  define: (command) => {
    command
      .option("--out <folder>", "The folder to make (default: dist)")
      .addHelpText(
        "after",
        "\nWhat it makes runs with Node 24 alone: `node dist/` is `fairlead up`, with its flags. The configuration's variables are read when it\nruns.\n\nExamples:\n  fairlead build && node dist/ --port 8080\n",
      );
  },

  run: async (context, { flags }) => {
    const { path, root, value } = await context.configFile();
    const manifest = text(value.manifest);
    if (path === undefined || manifest === undefined)
      throw new UsageError(
        "there is no project here to build",
        "make one with `fairlead init`, which names a manifest",
      );
    const options = await genOptions(context);
    const { checkDrift } = await import("@fairlead/codegen");
    const { ok, drift } = await checkDrift(options);
    if (!ok || drift.length > 0) {
      const message = "the generated code is not what the contracts say";
      throw new CommandError({ code: "drift", exit: 9 }, { message, hint: "run `fairlead gen` first" });
    }
    const { buildProject, isReplaceable } = await import("../build/build-project.ts").catch(explainMissing);
    const out = resolve(root, text(flags.out) ?? "dist");
    if (!isReplaceable(out)) {
      const message = `${out} holds what no build has made`;
      throw new CommandError(
        { code: "already_exists", exit: 8 },
        { message, hint: "remove it, or name another folder with --out" },
      );
    }
    const { out: generated, services } = options.config;
    const documents = typeof generated === "string" ? generated : generated.schemas;
    const built = await buildProject({ root, config: path, manifest: join(root, manifest), documents, services, out });
    context.print({ folder: out, ...built }, () =>
      [
        `built  ${out}: ${built.files.length} files, ${Math.round(built.bytes / 1_024)} KB of JavaScript`,
        ...Object.entries(built.copied).map(([name, version]) => `copied  ${name} ${version}, which has native code`),
        `next: node ${text(flags.out) ?? "dist/"}`,
      ].join("\n"),
    );
    return 0;
  },
};

export default build;
