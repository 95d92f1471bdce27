/** Judges a contract's resources: names, paths and fields, and that what reads, follows and lists them is in the contract. */
import type { Choices, Resource } from "@fairlead/contracts";
import { type Diagnostic, diagnostic } from "../model/diagnostics.ts";
import type { ServiceModel } from "../model/model.ts";

/** A word of a path, or a field in braces. */
const segment = /^(?:[a-z0-9][a-z0-9.-]*|\{[a-z][A-Za-z0-9]*\})$/;
const field = /^\{([a-z][A-Za-z0-9]*)\}$/;
const mediaType = /^[a-z]+\/[a-z0-9.+-]+$/;
/** Milliseconds; a reader that asks more often is a loop. */
const oftenest = 500;

export const checkResources = ({ id, source, resources, procedures }: ServiceModel): readonly Diagnostic[] => {
  const named = (kind: string): readonly string[] =>
    procedures.filter((procedure) => procedure.kind === kind).map(({ name }) => name);
  const files = procedures.filter(({ download }) => download !== undefined).map(({ name }) => name);
  const known = { queries: named("query"), subscriptions: named("subscription"), files };
  const shapes = new Map<string, string>();
  return Object.entries(resources).flatMap(([name, resource]) => {
    const at = { source, where: `${id} resource ${JSON.stringify(name)}` };
    const shape = resource.path
      .split("/")
      .map((each) => (each.startsWith("{") ? "{}" : each))
      .join("/");
    const before = shapes.get(shape);
    shapes.set(shape, name);
    const problems: readonly ResourceProblem[] = [
      ...(/^[a-z][A-Za-z0-9]*$/.test(name)
        ? []
        : [
            [
              `the name ${JSON.stringify(name)} is none`,
              "begin with a small letter, and go on with letters and digits",
            ] as const,
          ]),
      ...(before === undefined ? [] : [[`\`${before}\` has the same path`, "give each a path of its own"] as const]),
      ...problemsIn(resource, known),
    ];
    return problems.map(([message, fix]) => diagnostic("resource_unfit", at, { message, fix }));
  });
};

type ResourceProblem = readonly [message: string, fix: string];

interface ContractNames {
  readonly queries: readonly string[];
  readonly subscriptions: readonly string[];
  /** Names of downloads: their files have addresses as well. */
  readonly files: readonly string[];
}

const problemsIn = (resource: Resource, known: ContractNames): readonly ResourceProblem[] => {
  const { title, summary, path, read, input, type, text, fields = {}, changes } = resource;
  const segments = path.split("/");
  const places = segments.flatMap((each) => field.exec(each)?.[1] ?? []);
  const found: ResourceProblem[] = [];
  if ([title, summary].some((words) => words.trim() === ""))
    found.push(["its title or summary is empty", "say what it is"]);
  if (!segments.every((each) => segment.test(each)) || field.test(segments[0] ?? ""))
    found.push([
      `the path ${JSON.stringify(path)} is none`,
      "write words of small letters between slashes, a word first, and fields in braces",
    ]);
  if (new Set(places).size < places.length)
    found.push(["its path has a field twice", "give each field a name of its own"]);
  if (known.files.includes(path)) found.push([`the files of \`${path}\` have that address`, "choose another path"]);
  for (const place of places)
    if (!Object.hasOwn(fields, place))
      found.push([`its path has {${place}}, and there is no such field`, `declare \`fields.${place}\``]);
  for (const name of Object.keys(fields))
    if (!places.includes(name))
      found.push([`its path has no {${name}}`, "put the field into the path, or leave it out"]);
  if (!known.queries.includes(read))
    found.push([`\`${read}\` is not a query of the contract`, "name the query that answers it"]);
  found.push(...strayPlaces(input, places));
  if (type !== undefined && (text === undefined || !mediaType.test(type)))
    found.push(["its `type` is of no text", "say where the `text` is, and write the type like `text/markdown`"]);
  if (changes !== undefined && "subscription" in changes) {
    if (!known.subscriptions.includes(changes.subscription))
      found.push([`\`${changes.subscription}\` is not a subscription of the contract`, "name one, or use `everyMs`"]);
    found.push(...strayPlaces(changes.input, places));
  }
  if (changes !== undefined && "everyMs" in changes && changes.everyMs < oftenest)
    found.push([`it would be read every ${changes.everyMs} ms`, `read it every ${oftenest} ms at most`]);
  for (const [name, { choices }] of Object.entries(fields))
    found.push(
      ...choiceProblems(
        choices,
        known.queries,
        places.filter((place) => place !== name),
      ),
    );
  return found;
};

/** Of an argument of a prompt, or of a field: `others` are those whose values it may ask with. */
export const choiceProblems = (
  choices: Choices | undefined,
  queries: readonly string[],
  others: readonly string[],
): readonly ResourceProblem[] =>
  choices === undefined || !("call" in choices)
    ? []
    : [
        ...(queries.includes(choices.call)
          ? []
          : [[`\`${choices.call}\` is not a query of the contract`, "name one that lists the values"] as const]),
        ...strayPlaces(choices.input, others),
      ];

/** Texts of an input that stand for a field that is not there. */
const strayPlaces = (input: unknown, places: readonly string[]): readonly ResourceProblem[] => {
  if (typeof input === "string") {
    const place = field.exec(input)?.[1];
    return place === undefined || places.includes(place)
      ? []
      : [[`its input has {${place}}, and nothing is called that`, `there are ${places.join(", ") || "no fields"}`]];
  }
  if (typeof input !== "object" || input === null) return [];
  return Object.values(input).flatMap((value) => strayPlaces(value, places));
};
