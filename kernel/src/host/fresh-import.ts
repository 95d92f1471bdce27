/**
 * Addresses under which a module that could not be loaded is loaded anew: Node keeps an import that has failed, with all that it imported.
 * The address gets a number, which the relative imports below it inherit. What is imported by a package's name stays as it is, so that there
 * is one kernel and one contract language. Not here: the import itself (`module.ts`).
 */
import { registerHooks } from "node:module";

const parameter = "fairlead-import";
let count = 0;

/** Another address of the same file. */
export const freshAddress = (url: string): string => {
  if (count === 0) registerHooks({ resolve });
  count += 1;
  return numbered(url, String(count));
};

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]["resolve"]>;

const resolve: Resolve = (specifier, context, next) => {
  const found = next(specifier, context);
  const number = numberIn(context.parentURL);
  const isRelative = specifier.startsWith("./") || specifier.startsWith("../");
  if (number === null || !isRelative || !found.url.startsWith("file:")) return found;
  return { ...found, url: numbered(found.url, number) };
};

const numberIn = (url: string | undefined): string | null =>
  url?.startsWith("file:") === true ? new URL(url).searchParams.get(parameter) : null;

const numbered = (address: string, number: string): string => {
  const url = new URL(address);
  url.searchParams.set(parameter, number);
  return url.href;
};
