/** The names of services in a configuration: each must be one that there is. Not here: what stands in their sections (`sections.ts`). */
import { didYouMean, type Issue } from "@fairlead/contracts";
import { type Config, wrongConfiguration } from "./config.ts";

/** Throws a `FairleadError` (`invalid_argument`) naming every id that is none of `ids`, all services there could be, run or not. */
export const refuseUnknownServices = (
  { services, only, tokens }: Pick<Config, "services" | "only" | "tokens">,
  ids: readonly string[],
): void => {
  const callable = [...ids, "kernel"];
  const named = [
    ...Object.keys(services).map((id) => ({ id, path: `services.${id}`, known: ids })),
    ...(only ?? []).map((id, at) => ({ id, path: `only[${at}]`, known: ids })),
    ...tokens.flatMap((token, at) =>
      (token.services ?? []).map((id, index) => ({ id, path: `tokens[${at}].services[${index}]`, known: callable })),
    ),
  ];
  const unknown = named.filter(({ id, known }) => !known.includes(id));
  if (unknown.length > 0) throw wrongConfiguration(unknown.map(({ id, path, known }) => issueOf(path, id, known)));
};

const issueOf = (path: string, id: string, known: readonly string[]): Issue => {
  const near = didYouMean(id, known);
  return {
    path,
    expected: `a service: ${known.join(", ")}`,
    fix: near === undefined ? `remove ${JSON.stringify(id)}` : `did you mean ${near}?`,
  };
};
