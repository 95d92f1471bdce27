/**
 * JSON Schema to Python types: a `TypedDict` for each object, `Literal`s, unions. Python has no types of objects inside an expression, so those
 * are declared under the name of their place: `OrderOutputParts`, `OrderOutputPartsItem`.
 *
 * Not here: which schemas become classes (`objects`), names and files (`python`). Constraints that types cannot say, like lengths, are left out.
 */
import { pascalCase } from "../../model/letter-case.ts";
import { defName, isSchema, type JsonSchema } from "../../schema/json-schema.ts";
import { asSheet, type FindDefinition, findTag, isPlainObject, mergeObject } from "./objects.ts";
import { docString, lateType } from "./text.ts";
import { fieldWords, type PythonField, printTypedDict } from "./typed-dict.ts";
import { literal, union } from "./unions.ts";

/** A place in a module that has a type. */
interface TypePlace {
  /** What an object here would be called. */
  readonly name: string;
  /** True for what callers give: tuples for lists, and bytes as they are. */
  readonly isInput: boolean;
}

/** A type that has the name of its place, or would have it if other places did not have the same type. */
interface PlacedType {
  /** What its place has behind the name of the type around it. */
  readonly suffix: string;
  readonly type: string;
}

/** What types refer to. */
interface PythonDefinitions {
  /** What a name refers to. */
  readonly definition: FindDefinition;
  /** True for a type that several places have and that no author has named. */
  readonly isUnnamed: (name: string) => boolean;
}

/** The types of one module, in the order in which they were declared. */
export class PythonTypes {
  readonly #declared: string[] = [];
  readonly #names: Set<string>;
  readonly #declaredNames = new Set<string>();
  readonly #fields = new Map<string, readonly PythonField[]>();
  readonly #inside = new Map<string, PlacedType[]>();
  readonly #definitions: PythonDefinitions;
  #around = "";

  /** `taken` are names that no anonymous object may have. */
  constructor(taken: Iterable<string>, definitions: PythonDefinitions) {
    this.#names = new Set(taken);
    this.#definitions = definitions;
  }

  get declared(): readonly string[] {
    return this.#declared;
  }

  /** What is inside of a type that was declared by name. */
  inside(name: string): readonly PlacedType[] {
    return this.#inside.get(name) ?? [];
  }

  /** Names of everything that is declared. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** Fields of a declared object, by its name. */
  fields(name: string): readonly PythonField[] | undefined {
    return this.#fields.get(name);
  }

  /** Declares a type under a name: a class for an object, an alias for all else. */
  declare(name: string, schema: JsonSchema, isInput: boolean): void {
    this.#around = name;
    this.#declare(name, schema, isInput);
  }

  /** Names of places whose type has another name, since other places have it too: they stay when another place comes or goes. */
  declarePlaces(elsewhere?: PythonTypes): void {
    const all = [this, ...(elsewhere === undefined ? [] : [elsewhere])];
    const place = (name: string, type: string): void => {
      if (!this.#declaredNames.has(name) && all.some((types) => types.fields(type) !== undefined)) {
        this.#names.add(name);
        this.#declaredNames.add(name);
        this.#declared.push(`${name}: TypeAlias = ${lateType(type)}`);
      }
      for (const types of all) for (const each of types.inside(type)) place(`${name}${each.suffix}`, each.type);
    };
    for (const [around, inside] of [...this.#inside])
      for (const { suffix, type } of inside) place(`${around}${suffix}`, type);
  }

  #declare(name: string, schema: JsonSchema, isInput: boolean): void {
    this.#names.add(name);
    this.#declaredNames.add(name);
    const object = this.#asObject(this.#definitions.isUnnamed(name) ? asSheet(schema, isInput) : schema);
    const at = this.#declared.length;
    this.#declared.push("");
    if (object !== undefined && schema.$ref === undefined) {
      this.#declared[at] = this.#objectClass(name, object, isInput);
      return;
    }
    const type = schema.$ref === undefined ? this.#print(schema, { name, isInput }) : this.#alias(name, schema.$ref);
    this.#declared[at] = [`${name}: TypeAlias = ${lateType(type)}`, docString(schema.description)]
      .filter(Boolean)
      .join("\n");
  }

  #asObject(schema: JsonSchema): JsonSchema | undefined {
    return mergeObject(schema, this.#definitions.definition);
  }

  #objectClass(name: string, schema: JsonSchema, isInput: boolean): string {
    const required = new Set(schema.required ?? []);
    // The description is at the field; the class of the object in it need not repeat them.
    const fields = Object.entries(schema.properties ?? {}).map(([key, { description, ...field }]) => ({
      name: key,
      type: this.#print(field, { name: `${name}${pascalCase(key)}`, isInput }),
      isRequired: required.has(key),
      description: fieldWords({ description, deprecated: field.deprecated === true }),
    }));
    this.#fields.set(name, fields);
    return printTypedDict(name, schema.description, fields);
  }

  #print(schema: JsonSchema, place: TypePlace): string {
    if (schema.$ref !== undefined) return this.#reference(defName(schema.$ref), place);
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum !== undefined) return literal(schema.enum);
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches !== undefined) return this.#union(branches, place);
    if (schema.allOf !== undefined) return this.#intersection(schema, place);
    if (isSchema(schema.not) && Object.keys(schema.not).length === 0) return "Never";
    const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
    return types.length === 0 ? "object" : union(types.map((type) => this.#byType(type, schema, place)));
  }

  #alias(name: string, $ref: string): string {
    const type = defName($ref);
    if (type !== undefined && this.#definitions.isUnnamed(type)) this.#put(name, type);
    return type ?? "object";
  }

  /** The place of an unnamed type keeps the name that an object there would have by itself. */
  #reference(type: string | undefined, { name, isInput }: TypePlace): string {
    if (type === undefined || !this.#definitions.isUnnamed(type)) return type ?? "object";
    const isObject = isPlainObject(asSheet(this.#definitions.definition(type) ?? {}, isInput));
    const own = isObject && name !== type ? this.#freeName(name) : name;
    if (isObject) this.#names.add(own);
    this.#put(own, type);
    return type;
  }

  #put(name: string, type: string): void {
    const placed = { suffix: name.slice(this.#around.length), type };
    this.#inside.set(this.#around, [...this.inside(this.#around), placed]);
  }

  #byType(type: string, schema: JsonSchema, place: TypePlace): string {
    switch (type) {
      case "string":
        return place.isInput && schema.contentEncoding === "base64url" ? "bytes | str" : "str";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "number":
        return "float";
      case "integer":
        return "int";
      case "array":
        return this.#list(schema, place);
      case "object":
        return this.#object(schema, place);
      default:
        return "object";
    }
  }

  /** JSON has lists only: what callers get is one; what they give may be any sequence. */
  #list({ items, prefixItems = [], minItems }: JsonSchema, { name, isInput }: TypePlace): string {
    const first = prefixItems.map((item, index) => this.#print(item, { name: `${name}${index + 1}`, isInput }));
    const rest = isSchema(items) ? [this.#print(items, { name: `${name}Item`, isInput })] : [];
    const isExact = first.length > 0 && rest.length === 0 && minItems === first.length;
    if (isInput && isExact) return `tuple[${first.join(", ")}]`;
    const item = union(first.length + rest.length === 0 ? ["object"] : [...first, ...rest]);
    return isInput ? `Sequence[${item}]` : `list[${item}]`;
  }

  #object(schema: JsonSchema, { name, isInput }: TypePlace): string {
    const fields = asSheet(schema, isInput);
    if (isPlainObject(fields)) {
      const free = this.#freeName(name);
      this.#put(free, free);
      this.#declare(free, fields, isInput);
      return free;
    }
    const { additionalProperties: extra, properties = {}, patternProperties, propertyNames } = schema;
    const named = Object.entries(properties).map(([key, field]) =>
      this.#print(field, { name: `${name}${pascalCase(key)}`, isInput }),
    );
    const value =
      isSchema(extra) && patternProperties === undefined
        ? union([this.#print(extra, { name: `${name}Value`, isInput }), ...named])
        : "object";
    const keys =
      isSchema(propertyNames) && Array.isArray(propertyNames.enum) && !isInput ? literal(propertyNames.enum) : "str";
    return `${isInput ? "Mapping" : "dict"}[${keys}, ${value}]`;
  }

  #intersection(schema: JsonSchema, place: TypePlace): string {
    const object = this.#asObject(schema);
    if (object !== undefined) return this.#object(object, place);
    const { allOf = [], ...own } = schema;
    const said = [own, ...allOf].map((part) => this.#print(part, place)).filter((type) => type !== "object");
    return said[0] ?? "object";
  }

  #union(branches: readonly JsonSchema[], { name, isInput }: TypePlace): string {
    const written = branches.map((branch) => this.#unnamed(branch));
    const objects = written.filter((branch) => branch.$ref === undefined && isPlainObject(branch));
    const branchName = (branch: JsonSchema = {}): string =>
      objects.length < 2 || !objects.includes(branch)
        ? name
        : `${name}${pascalCase(findTag(branch) ?? String(objects.indexOf(branch) + 1))}`;
    return union(branches.map((branch, at) => this.#print(branch, { name: branchName(written[at]), isInput })));
  }

  /** What a reference to an unnamed type says; any other schema is itself. */
  #unnamed(schema: JsonSchema): JsonSchema {
    const name = schema.$ref === undefined ? undefined : defName(schema.$ref);
    if (name === undefined || !this.#definitions.isUnnamed(name)) return schema;
    return this.#definitions.definition(name) ?? schema;
  }

  #freeName(name: string): string {
    let free = this.#names.has(name) ? `${name}Value` : name;
    for (let count = 2; this.#names.has(free); count += 1) free = `${name}${count}`;
    return free;
  }
}

/** Types of one schema with its definitions: a class for it and for every object inside of it. */
export const printPythonTypes = (schema: JsonSchema, isInput: boolean): PythonTypes => {
  const definitions = schema.$defs ?? {};
  const types = new PythonTypes(Object.keys(definitions), {
    definition: (name) => definitions[name],
    isUnnamed: () => false,
  });
  types.declare("It", schema, isInput);
  for (const [name, definition] of Object.entries(definitions)) types.declare(name, definition, isInput);
  return types;
};
