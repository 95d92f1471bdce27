/** Puts a new process with the same command line in the place of this one; its pid stays. */
import { CommandError } from "../command/failure.ts";

/** The new one listens on the port of this one. Does not return. */
export const replaceProcess = (port: number): never => {
  const { execve, execPath, execArgv, argv, env } = process;
  if (execve === undefined) {
    throw new CommandError(
      { code: "unimplemented", exit: 1 },
      { message: "this system cannot replace a process", hint: "run `fairlead dev` again" },
    );
  }
  const own = argv.slice(1);
  return execve(execPath, [execPath, ...execArgv, ...own, ...(port === 0 ? [] : ["--port", String(port)])], env);
};
