/**
 * The services' sections of the configuration, each decoded by the schema that its service declares: what is wrong there is told
 * before anything starts, like everything else that is wrong with a configuration.
 */
import { decoder, type Issue } from "@fairlead/contracts";
import { wrongConfiguration } from "./config.ts";
import type { Service } from "./service.ts";

/** What each service is given as its configuration, by its id. */
export type Sections = ReadonlyMap<string, unknown>;

/** Decodes the sections of these services. Throws a `FairleadError` (`invalid_argument`) naming what is wrong in all of them. */
export const readSections = (given: Readonly<Record<string, unknown>>, services: readonly Service[]): Sections => {
  const issues: Issue[] = [];
  const sections = new Map<string, unknown>();
  for (const { contract, config } of services) {
    const section = given[contract.id];
    if (config === undefined) {
      if (section !== undefined) issues.push(noSettings(contract.id));
      continue;
    }
    const decoded = decoder(config, ["services", contract.id])(section ?? {});
    if (decoded.ok) sections.set(contract.id, decoded.value);
    else issues.push(...decoded.issues);
  }
  if (issues.length > 0) throw wrongConfiguration(issues);
  return sections;
};

const noSettings = (id: string): Issue => ({
  path: `services.${id}`,
  expected: "no section: the service has no settings",
  fix: `remove it, or declare \`config\` where ${id} is defined`,
});
