/**
 * `fairlead/mcp`: what the `bin` of a package with one service calls, so that `npx @me/notes-mcp` is `fairlead mcp serve notes --stdio` with the
 * package's own configuration. Further words are that command's flags.
 *
 *     serveMcp("notes", new URL("./dist/fairlead.config.js", import.meta.url));
 *
 * In JavaScript that Node 12 can read, like the command's own entry, which finds the right Node.
 */
const { fileURLToPath } = module.require("url");

/** Serves a service on stdin and stdout until the client has gone; `config` is the URL of the package's configuration. Call it once. */
exports.serveMcp = (service, config) => {
  process.argv.splice(2, 0, "mcp", "serve", service, "--stdio", "--config", fileURLToPath(config));
  require("./fairlead.js");
};
