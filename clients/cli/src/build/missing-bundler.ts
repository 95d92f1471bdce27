/** The bundler is 21 MB and for `fairlead build` alone, so it is among the development dependencies of a project, and not among ours. */
import { CommandError } from "../command/failure.ts";
import { toolVersions } from "../init/project-text.ts";

/** Throws what a failed import of the build says: where the bundler is missing, the command that installs it. */
export const explainMissing = (cause: unknown): never => {
  const isMissing = cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
  if (!isMissing || !cause.message.includes("'rolldown'")) throw cause;
  const message = "`fairlead build` needs the bundler rolldown, which is not installed";
  const hint = `npm install --save-dev rolldown@${toolVersions.rolldown}`;
  throw new CommandError({ code: "failed_precondition", exit: 9 }, { message, hint }, { cause });
};
