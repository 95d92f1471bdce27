/** A connection written into the `.mcp.json`, where a person wants it kept. Only its address: what was given as a header may be a secret. */
import { saveEntry } from "../declared/saved-entry.ts";
import { formatEndpoint } from "../machine/target.ts";
import { type HandlerFactory, requireConnection } from "./context.ts";

export const save: HandlerFactory<"save"> = (context) => async (input, call) => {
  const { name } = input;
  const { registry, configured, declarations } = context;
  requireConnection(context, name, call);
  const refuse = (message: string, hint: string) => call.fail("not_saved", { message, hint });
  const [path] = declarations.files.mcpJson;
  if (path === undefined) {
    const hint = 'say `mcpJson: ".mcp.json"` in the configuration of connections, and start the kernel again';
    throw refuse("the configuration names no `.mcp.json`", hint);
  }
  if (configured.has(name))
    throw refuse(`${name} is written down already`, "`fairlead conn status` shows where it leads");
  const target = registry.connection(name)?.target;
  if (target?.transport !== "http")
    throw refuse(`${name} is a program, which only files start`, "write it there by hand");
  if (Object.keys(target.headers).length > 0) {
    const hint = `add it without headers, or write the entry by hand with \`\${VAR}\` in place of secrets`;
    throw refuse(`${name} has headers, which are not written into files`, hint);
  }
  try {
    const { path: written, backup, added } = await saveEntry(path, { name, value: { type: "http", url: target.url } });
    return { path: written, backup, added: [...added] };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw refuse(`${formatEndpoint(target)} was not written into ${path}: ${why}`, "correct that, or write it by hand");
  }
};
