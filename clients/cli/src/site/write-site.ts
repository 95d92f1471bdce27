/** Writes the reference of services into a folder: a new one, or an earlier reference. Files of somebody else are never written over. */
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OpenApiDocument, SampleOptions } from "@fairlead/kernel/reference";
import { CommandError } from "../command/failure.ts";
import { makeSite } from "./site.ts";

interface SiteParts {
  /** Folder of the built console, of which the viewer is a part. */
  readonly viewer: string | undefined;
  readonly document: OpenApiDocument;
  readonly options: SampleOptions;
}

/** Resolves with the number of files. */
export const writeSite = async (folder: string, { viewer, document, options }: SiteParts): Promise<number> => {
  await requireOwnFolder(folder);
  const [page, from] = await readViewer(viewer);
  const { texts, assets } = makeSite(page, document, options);
  const write = async (path: string, put: (file: string) => Promise<void>): Promise<void> => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await put(file);
  };
  for (const [path, content] of texts) await write(path, (file) => writeFile(file, content));
  for (const path of assets) await write(path, (file) => copyFile(join(from, path), file));
  return texts.size + assets.length;
};

const requireOwnFolder = async (folder: string): Promise<void> => {
  const found: readonly string[] = await readdir(folder).catch(() => []);
  if (found.length === 0 || (found.includes("openapi.json") && found.includes("llms.txt"))) return;
  throw new CommandError(
    { code: "already_exists", exit: 8 },
    { message: `${folder} has files that are no reference`, hint: "name a new folder with --out" },
  );
};

/** The page of the viewer as it was built, and the folder of its files. */
const readViewer = async (folder: string | undefined): Promise<readonly [page: string, folder: string]> => {
  const page =
    folder === undefined ? undefined : await readFile(join(folder, "docs.html"), "utf8").catch(() => undefined);
  if (folder !== undefined && page !== undefined) return [page, folder];
  throw new CommandError(
    { code: "failed_precondition", exit: 8 },
    {
      message: "the console's package, which has the viewer, is not built",
      hint: "run `npm run build -w @fairlead/console`",
    },
  );
};
