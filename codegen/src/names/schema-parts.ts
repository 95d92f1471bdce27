/** The parts of a lowered schema: its root, its definitions, and what each definition says. Not here: finding and naming them (`definitions`). */
import { defName, defRef, type JsonSchema, rewrite } from "../schema/json-schema.ts";
import type { LoweredSchema } from "../schema/lower.ts";

/** A schema's root under its own name, where it has one, and its definitions. */
export const definitionsIn = ({ json, name }: LoweredSchema): Readonly<Record<string, JsonSchema>> => {
  const { $defs = {}, ...root } = json;
  return name === undefined ? $defs : { [name]: root, ...$defs };
};

/** A schema without its definitions: the reference to its own name, where it has one. */
export const rootIn = ({ json, name }: LoweredSchema): JsonSchema => {
  if (name !== undefined) return { $ref: defRef(name) };
  const { $defs: _, ...root } = json;
  return root;
};

/** Its own words and those of all it refers to. Names that no author gave are left out. */
export const describeDefinition = (
  local: string,
  definitions: Readonly<Record<string, JsonSchema>>,
  anonymous: ReadonlySet<string>,
): string => {
  const order = new Map([[local, 0]]);
  const bodies: unknown[] = [];
  for (const name of order.keys()) {
    const body = rewrite(definitions[name] ?? {}, (node) => {
      const to = node.$ref === undefined ? undefined : defName(node.$ref);
      if (to === undefined || definitions[to] === undefined) return node;
      const index = order.get(to) ?? order.size;
      order.set(to, index);
      return { ...node, $ref: String(index) };
    });
    bodies.push([anonymous.has(name) ? null : name, body]);
  }
  return JSON.stringify(bodies);
};

/** A path below another one. */
export const extendPath = (start: string, path: string): string => {
  if (start === "" || path === "") return `${start}${path}`;
  return /^[[{]/.test(path) ? `${start}${path}` : `${start}.${path}`;
};
