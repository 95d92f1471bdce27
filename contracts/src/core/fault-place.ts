/**
 * Where a module that fails to load is broken, as `path:line`, read from the error's stack. Pure; knows how Node writes stacks.
 */

const unresolved = /^ERR_(?:MODULE_NOT_FOUND|PACKAGE_|UNSUPPORTED_DIR|INVALID_MODULE|INVALID_PACKAGE)/;

/** This folder's code only finds mistakes, it does not make them. */
const here = new URL(".", import.meta.url).href;

/** The place of a syntax error, a missing export or a throw; `undefined` when the stack does not say, or no module was found. */
export const faultPlace = (error: unknown): string | undefined => {
  // The stack of an unresolved module is its importer's.
  if (error instanceof Error && "code" in error && unresolved.test(String(error.code))) return undefined;
  const stack = error instanceof Error && typeof error.stack === "string" ? error.stack : "";
  const [heading = ""] = stack.split("\n");
  const headed = /^(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/]).*:\d+)$/.exec(heading)?.[1];
  if (headed !== undefined) return withoutQuery(headed);
  for (const frame of stack.split("\n")) {
    const [, address, line] = placed.exec(frame.slice(Math.max(0, frame.indexOf("file://")))) ?? [];
    if (address === undefined || address.includes("/node_modules/") || address.startsWith(here)) continue;
    return withoutQuery(`${decodeURIComponent(address.slice("file://".length))}:${line}`);
  }
  return undefined;
};

/** A module that was imported again has a query in its address. */
const withoutQuery = (place: string): string => place.replace(/\?[a-z]+=\d+(?=:\d+$)/, "");

const placed = /^(file:\/\/[^\s)]+):(\d{1,9}):\d{1,9}\)?$/;
