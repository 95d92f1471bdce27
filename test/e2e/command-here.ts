/** The `fairlead` command in the test's own process, for what a process started again would not show. */
// @boundaries-ignore the command line's own tests run it this way, too
export { runHere } from "../../clients/cli/test/in-process.ts";
