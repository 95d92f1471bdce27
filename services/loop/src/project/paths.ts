/** Which projects are configured and where, and which of them have had a session before. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Folders by name; `folder` as `default` when the configuration names none. */
export const projectPaths = (
  projects: Readonly<Record<string, string>>,
  folder: string,
): ReadonlyMap<string, string> => {
  const configured = Object.entries(projects);
  return new Map(configured.length > 0 ? configured : [["default", folder]]);
};

/** True when a project has state that may need repair. */
export const hasState = (path: string): boolean => existsSync(join(path, ".promptwheel/state.sqlite"));
