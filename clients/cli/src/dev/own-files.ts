/** Which files are a project's own code: what may change while it runs. Fairlead's own packages, and whatever is installed, are not. */
import { dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";

const platform = ["@fairlead/contracts", "@fairlead/kernel", "@fairlead/client", "@fairlead/codegen"];

export const ownFiles = (): ((file: string) => boolean) => {
  const folders = [
    ...platform.map((name) => dirname(fileURLToPath(import.meta.resolve(name)))),
    dirname(import.meta.dirname),
  ].map((folder) => folder + sep);
  return (file) => !folders.some((folder) => file.startsWith(folder));
};
