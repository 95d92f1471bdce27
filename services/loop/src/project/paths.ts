/** Which projects are configured and where, and which of them have had a session before. */
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/** The name of a project that has none: that of its folder, as far as a name may have its characters. */
export const folderName = (folder: string): string =>
  basename(resolve(folder))
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64) || "default";

/** Folders by name; `folder` by its own name when the configuration names none. */
export const projectPaths = (
  projects: Readonly<Record<string, string>>,
  folder: string,
): ReadonlyMap<string, string> => {
  const configured = Object.entries(projects);
  return new Map(configured.length > 0 ? configured : [[folderName(folder), folder]]);
};

/** True when a project has state that may need repair. */
export const hasState = (path: string): boolean => existsSync(join(path, ".promptwheel/state.sqlite"));
