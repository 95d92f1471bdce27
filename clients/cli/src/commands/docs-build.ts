/** `fairlead docs build`: the reference of this project's services as a folder of files for any web server. Starts no service. */
import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CommandModule } from "../command/command.ts";
import { type Context, text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { consoleFolder } from "../kernel/console-link.ts";
import { usualAddress } from "../kernel/running-address.ts";

const usualFolder = "site";

const docsBuild: CommandModule = {
  kernel: "none",
  define: (command) => {
    command
      .option("--out <folder>", `Where the files go: a new folder, or an earlier reference (default: ${usualFolder})`)
      .option("--for <url>", "The kernel's address as its callers know it (default: where this project's would listen)")
      .option("--with-token", "Calls need a token: examples read it from FAIRLEAD_TOKEN")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead docs build\n  fairlead docs build --out public/api --for https://api.example.com --with-token\n",
      );
  },

  run: async (context, { flags }) => {
    const folder = resolve(context.cwd, text(flags.out) ?? usualFolder);
    const { writeSite } = await import("../site/write-site.ts");
    const url = parseAddress(text(flags.for)) ?? (await usualAddress(context));
    const options = { url, needsToken: flags.withToken === true };
    const document = JSON.parse(await readDocument(context));
    const files = await writeSite(folder, { viewer: consoleFolder(), document, options });
    const shown = relative(context.cwd, folder) || ".";
    context.print({ folder, files }, () => `${files} files in ${shown}; serve the folder with any web server`);
    return 0;
  },
};

/** As `fairlead gen` wrote it. */
const readDocument = async (context: Context): Promise<string> => {
  const [{ loadManifest }, { root, value }] = await Promise.all([
    import("@fairlead/kernel/manifest"),
    context.configFile(),
  ]);
  const named = context.io.env.FAIRLEAD_MANIFEST ?? value.manifest;
  const manifest = await loadManifest(typeof named === "string" ? named : undefined, pathToFileURL(`${root}/`).href);
  return manifest.openapi();
};

const parseAddress = (given: string | undefined): string | undefined => {
  if (given === undefined) return undefined;
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `--for takes an http or https address, not ${JSON.stringify(given)}`,
      "like https://api.example.com",
    );
  return url.href.replace(/\/$/, "");
};

export default docsBuild;
