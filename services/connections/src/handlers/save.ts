/** A connection written into the `.mcp.json`, where a person wants it kept. Only its address and era: what was given as a header may be a secret, and so may parts of an address. */
import { hasEntry, saveEntry } from "../declared/saved-entry.ts";
import { formatEndpoint, type HttpTarget } from "../machine/target.ts";
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
  const target = registry.connection(name)?.target;
  if (target?.transport !== "http")
    throw refuse(`${name} is a program, which only files start`, "write it there by hand");
  const secret = findSecret(target);
  if (secret !== undefined) {
    const hint = `add it without, or write the entry by hand with \`\${VAR}\` in place of secrets`;
    throw refuse(`${name} has ${secret}, which may be a secret and is not written into files`, hint);
  }
  const { url, era } = target;
  const entry = { name, value: { type: "http", url, ...(era !== "auto" && { era }) } };
  const failed = (cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `${formatEndpoint(target)} was not written into ${path}: ${why}`;
    return refuse(message, "correct that, or write it by hand");
  };
  if (configured.has(name) && !(await hasEntry(path, entry).catch((cause) => Promise.reject(failed(cause)))))
    throw refuse(`${name} is written down already`, "`fairlead conn status` shows where it leads");
  try {
    const { path: written, backup, added } = await saveEntry(path, entry);
    return { path: written, backup, added: [...added] };
  } catch (cause) {
    throw failed(cause);
  }
};

/** What of it is in no status either. */
const findSecret = ({ headers, url }: HttpTarget): string | undefined => {
  if (Object.keys(headers).length > 0) return "headers";
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username !== "" || parsed.password !== "") return "credentials in its address";
  return parsed.search === "" && parsed.hash === "" ? undefined : "a query in its address";
};
