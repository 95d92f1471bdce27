/**
 * Discriminated unions as OpenAPI says them: `discriminator` beside `oneOf`, and each branch a component of its own, since a
 * discriminator does not look at branches that are written inline. They are found by their schemas, however the author wrote them.
 *
 * Not here: other JSON Schema documents: plain JSON Schema has no discriminator.
 */
import { type JsonSchema, rewrite, walk } from "../schema/json-schema.ts";

type Components = Readonly<Record<string, JsonSchema>>;

/** How names are written in a document. */
interface ComponentNames {
  /** The place of all names, like `#/components/schemas/`. */
  readonly base: string;
  /** Types that several places have and that no author has named. */
  readonly unnamed: ReadonlySet<string>;
}

/** All components, with those that their unions' branches become. */
export const addDiscriminators = (components: Components, { base, unnamed }: ComponentNames): Components => {
  const all: Record<string, JsonSchema> = { ...components };
  const branches = new Map<string, readonly string[] | undefined>();
  const resolve = ({ $ref }: JsonSchema): JsonSchema | undefined =>
    $ref?.startsWith(base) ? all[$ref.slice(base.length)] : undefined;
  const isUnnamed = ({ $ref = "" }: JsonSchema): boolean => unnamed.has($ref.slice(base.length));
  /** The values that distinguish an object from others by one property; of a union, those of all its branches. */
  const findValues = (schema: JsonSchema, property: string): readonly string[] | undefined => {
    const target = resolve(schema);
    if (target !== undefined) {
      const key = `${schema.$ref} ${property}`;
      if (!branches.has(key)) {
        branches.set(key, undefined);
        branches.set(key, findValues(target, property));
      }
      return branches.get(key);
    }
    if (schema.oneOf !== undefined) {
      const values = schema.oneOf.map((branch) => findValues(branch, property));
      return values.some((each) => each === undefined) ? undefined : values.flatMap((each) => each ?? []);
    }
    const field = schema.properties?.[property];
    if (schema.type !== "object" || field === undefined || !schema.required?.includes(property)) return undefined;
    const values = field.const === undefined ? field.enum : [field.const];
    return values?.every((value) => typeof value === "string") ? values.map(String) : undefined;
  };
  const hoist = (owner: string, branch: JsonSchema, value: string): string => {
    if (branch.$ref !== undefined && !isUnnamed(branch)) return branch.$ref;
    const name = freeName(`${owner}.${clean(value)}`, all);
    all[name] = branch;
    return branch.$ref ?? `${base}${name}`;
  };
  const mark = (union: JsonSchema, owner: string): JsonSchema => {
    const { oneOf } = union;
    if (oneOf === undefined || oneOf.length < 2) return union;
    const property = commonFields(oneOf, resolve).find((name) =>
      distinguishes(oneOf.map((each) => findValues(each, name))),
    );
    if (property === undefined) return union;
    const named = oneOf.map((branch) => {
      const values = findValues(branch, property) ?? [];
      return { values, $ref: hoist(owner, branch, values[0] ?? "") };
    });
    const mapping = Object.fromEntries(named.flatMap(({ values, $ref }) => values.map((value) => [value, $ref])));
    return {
      ...union,
      oneOf: named.map(({ $ref }) => ({ $ref })),
      discriminator: { propertyName: property, mapping },
    };
  };
  const placeName = (name: string, path: string): string => [name, clean(path)].filter((part) => part !== "").join(".");
  for (const [name, schema] of Object.entries(components))
    all[name] = rewrite(schema, (node, path) => mark(node, placeName(name, path)));
  const places = new Map<string, readonly (readonly [path: string, type: string])[]>();
  for (const [name, schema] of Object.entries(components))
    places.set(
      name,
      walk(schema).flatMap((each) => (isUnnamed(each.schema) ? [[each.path, `${each.schema.$ref}`] as const] : [])),
    );
  const branchNames = Map.groupBy(
    Object.keys(all).filter((name) => components[name] === undefined),
    (name) => name.slice(0, name.indexOf(".")),
  );
  /** A branch keeps the name that it has by its place, when another place has the same union and that has a name of its own. */
  const keep = (owner: string, $ref: string): void => {
    const type = $ref.slice(base.length);
    for (const branch of branchNames.get(type) ?? [])
      all[`${owner}${branch.slice(type.length)}`] ??= { $ref: `${base}${branch}` };
    for (const [path, inner] of places.get(type) ?? []) keep(placeName(owner, path), inner);
  };
  for (const [name, inside] of places) for (const [path, $ref] of inside) keep(placeName(name, path), $ref);
  return all;
};

const deepest = 100;

const distinguishes = (values: readonly (readonly string[] | undefined)[]): boolean => {
  const all = values.flatMap((each) => each ?? []);
  return values.every((each) => each !== undefined) && new Set(all).size === all.length;
};

/** Names of fields that the first branch has; only these can distinguish all of them. */
const commonFields = (
  branches: readonly JsonSchema[],
  resolve: (schema: JsonSchema) => JsonSchema | undefined,
): readonly string[] => {
  let [first] = branches;
  // A union that is its own first branch has no end.
  for (let depth = 0; depth < deepest && (first?.$ref !== undefined || first?.oneOf !== undefined); depth += 1)
    first = first.$ref === undefined ? first.oneOf?.[0] : resolve(first);
  return Object.keys(first?.properties ?? {});
};

/** Letters that OpenAPI allows in a component's name. */
const clean = (text: string): string => (text.match(/\w+(?:-\w+)*/g) ?? []).join(".");

const freeName = (base: string, taken: Components): string => {
  let name = base;
  for (let count = 2; Object.hasOwn(taken, name); count += 1) name = `${base}${count}`;
  return name;
};
