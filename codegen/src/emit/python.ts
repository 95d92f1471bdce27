/**
 * Emits a Python package of clients: a module a service with its class for callers that block and for `asyncio`, its exceptions and its types,
 * and `shared_types.py` for what several services have. All of it needs the package `fairlead`.
 *
 * Loaded by `all` where the configuration asks for it.
 */
import { pascalCase } from "../model/letter-case.ts";
import type { ServiceModel } from "../model/model.ts";
import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { rootIn } from "../names/schema-parts.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { listPythonErrors, printErrorClass, printErrorGroups } from "./python/errors.ts";
import { printProcedureTable, printServices } from "./python/methods.ts";
import { pythonBanner, pythonModule, wordsIn } from "./python/text.ts";
import { PythonTypes } from "./python/types.ts";
import { findSharedTypes, isInputOnly, serviceDefinitions, unnamedTypes } from "./shared-types.ts";

export const emitPython = ({ services, out }: GeneratorProject): readonly GeneratedFile[] => {
  if (out.python === undefined) return [];
  const folder = out.python;
  const definitions = findSharedTypes(services);
  const owners = services.filter((service) =>
    [...serviceDefinitions(service).keys()].some((name) => definitions.has(name)),
  );
  const unnamed = unnamedTypes(owners);
  const shared = new PythonTypes(definitions.keys(), {
    definition: (name) => definitions.get(name),
    isUnnamed: (name) => unnamed.has(name),
  });
  for (const [name, definition] of definitions) shared.declare(name, definition, isInputOnly(owners, name));
  shared.declarePlaces();
  const banner = pythonBanner(services);
  return [
    {
      path: `${folder}/__init__.py`,
      text: `${banner}\n"""Clients of services, a module each. The package \`fairlead\` has the rest."""\n`,
    },
    { path: `${folder}/py.typed`, text: `${banner}\n` },
    ...(definitions.size === 0
      ? []
      : [
          {
            path: `${folder}/${sharedModule}.py`,
            text: pythonModule(owners, "Types that several services have.", { imports: [], body: shared.declared }),
          },
        ]),
    ...services.map((service) => ({
      path: `${folder}/${service.id}.py`,
      text: printModule(service, { definitions, types: shared }),
    })),
  ];
};

/** No service's module: ids have no underscore. */
const sharedModule = "shared_types";

interface SharedTypes {
  readonly definitions: ReadonlyMap<string, JsonSchema>;
  readonly types: PythonTypes;
}

const cache = new WeakMap<ServiceModel, { readonly key: string; readonly text: string }>();

const printModule = (service: ServiceModel, shared: SharedTypes): string => {
  const own = serviceDefinitions(service);
  const handedOn = [...own.keys()].filter((name) => shared.definitions.has(name)).toSorted();
  const key = handedOn.join();
  const before = cache.get(service);
  if (before?.key === key) return before.text;
  const errors = listPythonErrors(service);
  const taken = [
    ...own.keys(),
    ...shared.types.names,
    ...service.procedures.flatMap(({ name }) => [`${pascalCase(name)}Input`, `${pascalCase(name)}Output`]),
    ...errors.flatMap(({ name, reason }) => [name, `${name}Data`, `${pascalCase(reason)}Error`]),
  ];
  const unnamed = unnamedTypes([service]);
  const types = new PythonTypes(taken, {
    definition: (name) => own.get(name),
    isUnnamed: (name) => unnamed.has(name),
  });
  for (const { name, input, output } of service.procedures) {
    types.declare(`${pascalCase(name)}Input`, rootIn(input), true);
    types.declare(`${pascalCase(name)}Output`, rootIn(output), false);
  }
  for (const { name, data } of errors) if (data !== undefined) types.declare(`${name}Data`, rootIn(data), false);
  for (const [name, definition] of own)
    if (!shared.definitions.has(name)) types.declare(name, definition, isInputOnly([service], name));
  types.declarePlaces(shared.types);
  const fields = (name: string) => types.fields(name) ?? shared.types.fields(name);
  const body = [
    ...printServices(service, { errors, fields, taken: new Set(taken) }),
    ...errors.map(printErrorClass),
    ...printErrorGroups(errors),
    ...types.declared,
    printProcedureTable(service, errors),
  ];
  const words = wordsIn(body.join("\n"));
  const used = [...shared.types.names].filter((name) => !handedOn.includes(name) && words.has(name));
  const names = [...handedOn.map((name) => `${name} as ${name}`), ...used].toSorted();
  const imports = [
    "import fairlead",
    ...(names.length === 0 ? [] : [`from .${sharedModule} import ${names.join(", ")}`]),
  ];
  const made = pythonModule([service], `${service.summary} (${service.id} ${service.version})`, { imports, body });
  cache.set(service, { key, text: made });
  return made;
};
