/** The build that an input names: as text, or as a file of the builds folder. What cannot be read is a declared error. */
import type { pob } from "@fairlead/contracts/pob";
import type { Call } from "@fairlead/kernel/service";
import { explainUnknownFile, readBuildFile } from "../build/build-folder.ts";
import { type ParsedBuild, readBuild } from "../build/summary.ts";

type BuildCall = Pick<Call<(typeof pob)["procedures"]["parseBuild"]>, "fail">;
type BuildSource = { readonly build: string } | { readonly file: string };

/** Throws `unknown_file` for a file that is not listed, `bad_build` for what is not a build. */
export const readSource = async (
  source: BuildSource,
  buildsFolder: string | undefined,
  call: BuildCall,
): Promise<Extract<ParsedBuild, { ok: true }>> => {
  const read = readBuild(await readText(source, buildsFolder, call));
  if (read.ok) return read;
  throw call.fail("bad_build", { message: `the build cannot be read: ${read.why}` }, { problems: [read.why] });
};

const readText = async (source: BuildSource, buildsFolder: string | undefined, call: BuildCall): Promise<string> => {
  if ("build" in source) return source.build;
  const listed = await readBuildFile(buildsFolder, source.file);
  if (listed.ok) return listed.text;
  throw call.fail("unknown_file", explainUnknownFile(source.file, listed.known, buildsFolder), {
    known: [...listed.known],
  });
};
