/**
 * What a configuration says about services: their ids must be ids that there are, and their sections are decoded by the schemas that
 * they declare. What is wrong is reported before anything starts, like everything else that is wrong with a configuration.
 */
import { didYouMean, type Issue, type Redactor, secretTexts, strictDecoder } from "@fairlead/contracts";
import type { Service } from "../service/service.ts";
import { type Config, wrongConfiguration } from "./config.ts";
import { type Environment, settingSource } from "./environment.ts";

/** Each service's configuration, by its id. */
export type Sections = ReadonlyMap<string, unknown>;

/**
 * Decodes the sections of these services; the redactor learns what is secret in them. Throws a `FairleadError` (`invalid_argument`) naming what is
 * wrong in all of them.
 */
export const readSections = (
  given: Readonly<Record<string, unknown>>,
  services: readonly Service[],
  redactor?: Redactor,
): Sections => {
  const issues: Issue[] = [];
  const sections = new Map<string, unknown>();
  for (const { contract, config } of services) {
    const section = Object.hasOwn(given, contract.id) ? given[contract.id] : undefined;
    if (config === undefined) {
      if (section !== undefined) issues.push(noSettings(contract.id));
      continue;
    }
    const decoded = strictDecoder(config, ["services", contract.id])(section ?? {});
    redactor?.add(secretTexts(config, section));
    if (decoded.ok) {
      redactor?.add(secretTexts(config, decoded.value));
      sections.set(contract.id, decoded.value);
    } else issues.push(...decoded.issues);
  }
  if (issues.length > 0) throw wrongConfiguration(issues);
  return sections;
};

const noSettings = (id: string): Issue => ({
  path: `services.${id}`,
  expected: "no section: the service has no settings",
  fix: `remove it, or declare \`config\` where ${id} is defined`,
});

/**
 * Throws a `FairleadError` (`invalid_argument`) naming every id that is none of `ids`, all services there could be, run or not, and
 * where it was given: in a variable of `env`, or in the file.
 */
export const refuseUnknownServices = (
  {
    services,
    supervision,
    placement,
    only,
    tokens,
    profiles,
  }: Pick<Config, "services" | "supervision" | "placement" | "only" | "tokens" | "profiles">,
  ids: readonly string[],
  env: Environment = {},
): void => {
  const callable = [...ids, "kernel"];
  const named = [
    ...Object.keys(services).map((id) => ({ id, path: `services.${id}`, known: ids })),
    ...Object.keys(supervision).map((id) => ({ id, path: `supervision.${id}`, known: ids })),
    ...Object.keys(placement).map((id) => ({ id, path: `placement.${id}`, known: ids })),
    ...(only ?? []).map((id, at) => ({ id, path: `${settingSource("only", env)}[${at}]`, known: ids })),
    ...tokens.flatMap((token, at) =>
      (token.services ?? []).map((id, index) => ({ id, path: `tokens[${at}].services[${index}]`, known: callable })),
    ),
    ...Object.entries(profiles).flatMap(([name, profile]) =>
      (profile.services ?? []).map((id, at) => ({ id, path: `profiles.${name}.services[${at}]`, known: callable })),
    ),
  ];
  const unknown = named.filter(({ id, known }) => !known.includes(id));
  if (unknown.length > 0) throw wrongConfiguration(unknown.map(({ id, path, known }) => toIssue(path, id, known)));
};

const toIssue = (path: string, id: string, known: readonly string[]): Issue => {
  const near = didYouMean(id, known);
  return {
    path,
    expected: `a service: ${known.join(", ")}`,
    fix: near === undefined ? `remove ${JSON.stringify(id)}` : `did you mean ${near}?`,
  };
};
