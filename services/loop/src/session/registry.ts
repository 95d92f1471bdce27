/** The configured projects by name, each opened when it is first used. A name that is not configured is an error that lists the others. */

import { hasState } from "../project/paths.ts";
import { errorMessage } from "../value/error.ts";
import { declaredError } from "./declared-error.ts";
import { Project, type ProjectOptions } from "./project.ts";

export class ProjectRegistry {
  readonly #paths: ReadonlyMap<string, string>;
  readonly #defaultName: string;
  readonly #options: ProjectOptions;
  readonly #open = new Map<string, Project>();

  /** `defaultName`: the project of calls that name none; the first one when left out. */
  constructor(paths: ReadonlyMap<string, string>, defaultName: string | undefined, options: ProjectOptions) {
    this.#paths = paths;
    this.#defaultName = defaultName ?? [...paths.keys()][0] ?? "default";
    this.#options = options;
  }

  get names(): readonly string[] {
    return [...this.#paths.keys()];
  }

  /** The project of calls that name none. */
  get defaultName(): string {
    return this.#defaultName;
  }

  find(name: string | undefined): Project {
    const projectName = name === undefined || this.#isAlias(name) ? this.#defaultName : name;
    const known = this.#open.get(projectName);
    if (known !== undefined) return known;
    const path = this.#paths.get(projectName);
    if (path === undefined)
      throw declaredError(
        "unknown_project",
        `there is no project ${JSON.stringify(projectName)}; there are ${this.names.join(", ")}`,
        {
          known: [...this.names],
        },
      );
    const project = new Project(projectName, path, this.#options);
    this.#open.set(projectName, project);
    return project;
  }

  /** `default` means the default project, unless one is called so. */
  #isAlias(name: string): boolean {
    return name === "default" && !this.#paths.has(name);
  }

  /** Opens the projects that have state already, so that what a killed server left is repaired at once. */
  recover(): void {
    for (const [name, path] of this.#paths) {
      if (!hasState(path)) continue;
      try {
        this.find(name);
      } catch (problem) {
        this.#options.warn("a project could not be opened", {
          project: name,
          problem: errorMessage(problem),
        });
      }
    }
  }

  close(): void {
    for (const project of this.#open.values()) project.close();
    this.#open.clear();
  }
}
