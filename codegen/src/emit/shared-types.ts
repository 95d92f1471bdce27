/**
 * Emits `shared-types.ts` for clients: the named types that several services have, so that a client has each of them once. The services'
 * modules hand them on. None where no two services share a type.
 */
import type { ServiceModel } from "../model/model.ts";
import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { definitionsIn } from "../names/schema-parts.ts";
import { docComment, typescript } from "../print/text.ts";
import { printType, type TypeStyle } from "../print/types.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { LoweredSchema } from "../schema/lower.ts";

/** No service's module: ids have no hyphen. */
export const sharedTypesFile = "shared-types.ts";

export const emitSharedTypes = ({ services, out }: GeneratorProject): readonly GeneratedFile[] => {
  const shared = findSharedTypes(services);
  if (shared.size === 0) return [];
  const owners = services.filter((service) => [...serviceDefinitions(service).keys()].some((name) => shared.has(name)));
  const body = [...shared].map(([name, definition]) =>
    printDefinition(name, definition, definitionStyle(owners, name)),
  );
  return [{ path: `${out.client}/${sharedTypesFile}`, text: typescript(owners, [], body) }];
};

type Definitions = ReadonlyMap<string, JsonSchema>;

/** Those that more than one service has, by name. What they refer to is among them. */
export const findSharedTypes = (services: readonly ServiceModel[]): Definitions => {
  const seen = new Set<string>();
  const shared = new Map<string, JsonSchema>();
  for (const service of services) {
    for (const [name, definition] of serviceDefinitions(service)) {
      if (seen.has(name)) shared.set(name, definition);
      seen.add(name);
    }
  }
  return new Map([...shared].toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

const cache = new WeakMap<ServiceModel, Definitions>();

/** The named types of a service, in the order in which its procedures have them. */
export const serviceDefinitions = (service: ServiceModel): Definitions => {
  const before = cache.get(service);
  if (before !== undefined) return before;
  const found = new Map<string, JsonSchema>();
  for (const { input, output, errors } of service.procedures) {
    for (const schema of [input, output, ...errors.flatMap(({ data }) => data ?? [])]) {
      for (const [name, definition] of Object.entries(definitionsIn(schema)))
        if (!found.has(name)) found.set(name, definition);
    }
  }
  cache.set(service, found);
  return found;
};

/** How a named type is printed: as one of inputs where an input has it, since callers give it, whoever else gives it too. */
export const definitionStyle = (services: readonly ServiceModel[], name: string): TypeStyle => {
  const styles = services.map(serviceStyles);
  return {
    templates: Object.assign({}, ...styles.map(({ templates }) => templates)),
    isInput: styles.some(({ ofInputs }) => ofInputs.has(name)),
  };
};

/** True for a type that callers give and never get. */
export const isInputOnly = (services: readonly ServiceModel[], name: string): boolean =>
  !services.some((service) => serviceStyles(service).ofOutputs.has(name));

/** Types that several places have and that no author has named. */
export const unnamedTypes = (services: readonly ServiceModel[]): ReadonlySet<string> =>
  new Set(services.flatMap((service) => [...serviceStyles(service).unnamed]));

interface ServiceStyles {
  readonly templates: Readonly<Record<string, string>>;
  /** Names of the types that inputs have. */
  readonly ofInputs: ReadonlySet<string>;
  /** Names of the types that outputs have. */
  readonly ofOutputs: ReadonlySet<string>;
  /** Names of the types that no author has named. */
  readonly unnamed: ReadonlySet<string>;
}

const knownStyles = new WeakMap<ServiceModel, ServiceStyles>();

const serviceStyles = (service: ServiceModel): ServiceStyles => {
  const before = knownStyles.get(service);
  if (before !== undefined) return before;
  const outputs = service.procedures.flatMap(({ output, errors }) => [
    output,
    ...errors.flatMap(({ data }) => data ?? []),
  ]);
  const inputs = service.procedures.map(({ input }) => input);
  const made = {
    templates: Object.assign({}, ...[...outputs, ...inputs].map(({ templates }) => templates)),
    ofInputs: namesIn(inputs),
    ofOutputs: namesIn(outputs),
    unnamed: new Set([...outputs, ...inputs].flatMap(({ sharing }) => [...(sharing?.shapes.keys() ?? [])])),
  };
  knownStyles.set(service, made);
  return made;
};

const namesIn = (schemas: readonly LoweredSchema[]): ReadonlySet<string> =>
  new Set(schemas.flatMap((schema) => Object.keys(definitionsIn(schema))));

export const printDefinition = (name: string, definition: JsonSchema, style: TypeStyle): string =>
  `${docComment(definition.description)}export type ${name} = ${printType(definition, (inner) => inner, style)};`;
