/**
 * What a principal may see of the documents: those of its services alone, where it is limited to some, and only procedures that are
 * switched on. Pure.
 *
 * Not here: the routes (`mount.ts`), and which procedures may be called (dispatch).
 */
import { isRecord } from "../../call/record.ts";

/** Ids of services; all when left out. */
export type Services = readonly string[] | undefined;

export const isVisible = (services: Services, id: string): boolean => services === undefined || services.includes(id);

type JsonFields = Readonly<Record<string, unknown>>;

/** The OpenAPI document with the operations of these services that are not `off`, and the parts that those refer to. */
export const visibleOpenApi = (text: string, services: Services, off: readonly string[] = []): string => {
  const document = withoutBanner(text);
  const paths = Object.fromEntries(
    Object.entries(fields(document.paths)).flatMap(([path, item]) => {
      const operations = Object.entries(fields(item)).filter(([, operation]) => belongsTo(operation, services, off));
      return operations.length === 0 ? [] : [[path, Object.fromEntries(operations)]];
    }),
  );
  const tags = list(document.tags).filter((tag) => isVisible(services, String(fields(tag).name)));
  const { securitySchemes, ...referable } = fields(document.components);
  const used = referencesFrom({ paths }, referable);
  const components = Object.fromEntries(
    Object.entries(referable).map(([kind, parts]) => [
      kind,
      Object.fromEntries(Object.entries(fields(parts)).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
    ]),
  );
  return JSON.stringify({ ...document, tags, paths, components: { ...components, securitySchemes } });
};

/** The document of command-line verbs with those of these services. */
export const visibleVerbs = (text: string, services: Services): string => {
  const document = withoutBanner(text);
  const verbs = list(document.verbs).filter((verb) => isVisible(services, String(fields(verb).service)));
  return JSON.stringify({ ...document, verbs });
};

/** A generated document. What it says of its origin names all services with their versions. */
const withoutBanner = (text: string): JsonFields => {
  const { "x-generated": _, $comment: __, ...document } = fields(JSON.parse(text));
  return document;
};

/** An operation's id is `service.procedure`, and `service.procedure_get` for the GET of one that has a POST as well. */
const belongsTo = (operation: unknown, services: Services, off: readonly string[]): boolean => {
  const [service = "", procedure = ""] = String(fields(operation).operationId).split(".");
  return isVisible(services, service) && !off.includes(`${service}.${procedure.replace(/_get$/, "")}`);
};

/** References that lead from a value into the components, those behind other components included. */
const referencesFrom = (value: unknown, components: JsonFields): ReadonlySet<string> => {
  const found = new Set<string>();
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const reference of referencesIn(next)) {
      if (found.has(reference)) continue;
      found.add(reference);
      const [, , kind = "", name = ""] = reference.split("/");
      open.push(fields(components[kind])[name]);
    }
  }
  return found;
};

const referencesIn = (value: unknown): readonly string[] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner !== "string") return referencesIn(inner);
    // The mapping of a discriminator has references as plain values.
    return key === "$ref" || inner.startsWith("#/components/") ? [inner] : [];
  });
};

const fields = (value: unknown): JsonFields => (isRecord(value) ? value : {});

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
