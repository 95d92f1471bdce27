/** The emitters, in the order in which their files are reported. Each is a function from the project to files. */
import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { emitAppRouter } from "./app-router.ts";
import { emitClient } from "./client.ts";
import { emitManifest } from "./manifest.ts";
import { emitOpenapi } from "./openapi.ts";
import { emitRouter } from "./router.ts";
import { emitSchemas } from "./schemas.ts";
import { emitSharedTypes } from "./shared-types.ts";
import { emitTools } from "./tools.ts";
import { emitVerbs } from "./verbs.ts";

const emitters = [
  emitSchemas,
  emitOpenapi,
  emitVerbs,
  emitManifest,
  emitRouter,
  emitTools,
  emitAppRouter,
  emitSharedTypes,
  emitClient,
];

/** Python is loaded where the project has it. */
export const emitAll = async (project: GeneratorProject): Promise<readonly GeneratedFile[]> => {
  const python = project.out.python === undefined ? [] : [(await import("./python.ts")).emitPython];
  return [...emitters, ...python].flatMap((emit) => emit(project));
};
