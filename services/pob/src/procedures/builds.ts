/** Procedures that read builds from their XML and start nothing. */
import type { pob } from "@fairlead/contracts/pob";
import type { Handlers } from "@fairlead/kernel/service";
import { listBuildFiles } from "../build/build-folder.ts";
import { compareBuilds } from "../build/compare.ts";
import { saveBuildFile } from "../build/saved-build.ts";
import { encodeShareCode } from "../build/share-code.ts";
import { summarizeBuild } from "../build/summary.ts";
import { validateText } from "../build/validate.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { readSource } from "./build-source.ts";
import type { ProcedureContext } from "./context.ts";

type BuildHandlers = Pick<
  Handlers<typeof pob>,
  "parseBuild" | "validateBuild" | "compareBuilds" | "convertBuild" | "listBuilds" | "saveBuild"
>;

export const createBuildHandlers = ({ sessions, settings: { buildsFolder } }: ProcedureContext): BuildHandlers => ({
  parseBuild: async ({ source }, call) => summarizeBuild((await readSource(source, buildsFolder, call)).root),
  validateBuild: ({ build }) => validateText(build, listKnownTrees(sessions)),
  compareBuilds: async ({ a, b }, call) =>
    compareBuilds((await readSource(a, buildsFolder, call)).root, (await readSource(b, buildsFolder, call)).root),
  convertBuild: async ({ source }, call) => {
    const { xml } = await readSource(source, buildsFolder, call);
    return { xml, code: encodeShareCode(xml) };
  },
  saveBuild: async ({ source, file, overwrite }, call) => {
    const { xml } = await readSource(source, buildsFolder, call);
    if (buildsFolder === undefined) {
      const hint = "set POB_BUILDS_PATH to the folder, and start again";
      throw call.fail("not_saved", { message: "no folder of builds is configured", hint });
    }
    return saveBuildFile(buildsFolder, { name: file, xml, overwrite }).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw call.fail("not_saved", { message: `the build was not saved in ${buildsFolder}: ${why}` });
    });
  },
  listBuilds: async () => ({
    folder: buildsFolder ?? null,
    builds: buildsFolder === undefined ? [] : [...(await listBuildFiles(buildsFolder))],
  }),
});

/** The tree versions of the process that was used last, when one has said them. */
const listKnownTrees = (sessions: SessionRegistry): readonly string[] | undefined =>
  sessions
    .list()
    .findLast((session) => session.about().trees !== undefined)
    ?.about().trees;
