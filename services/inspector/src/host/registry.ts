/**
 * The types a host declared: looked up by name, by JavaScript class, by pattern. Declarations become the definitions that the
 * language binds against; the declarations themselves stay for `explore` to show.
 */
import { fault } from "../linq/error.ts";
import { absent, derivesFrom } from "../linq/host.ts";
import type { ClassDefinition, MemberDefinition, MethodDefinition, Type, TypeDefinition } from "../linq/type.ts";
import { typeName } from "../linq/type.ts";
import type { EnumDefinition } from "../linq/value/enum.ts";
import type {
  AnyDeclaration,
  EnumDeclaration,
  MemberDeclaration,
  MethodDeclaration,
  TypeDeclaration,
} from "./declaration.ts";
import { guarded } from "./guarded.ts";
import { ownData, prototypes } from "./reading.ts";
import { typeFromText } from "./type-text.ts";

export interface Registered {
  readonly declaration: AnyDeclaration;
  readonly definition: TypeDefinition;
}

export class Registry {
  readonly #byName = new Map<string, Registered>();
  readonly #bySimpleName = new Map<string, Registered>();
  readonly #byPrototype = new WeakMap<object, Registered>();
  readonly #derived = new Map<ClassDefinition, readonly ClassDefinition[]>();

  /** Throws when a declaration names a type that is not among them, two have one name, or one is made of itself. */
  constructor(declarations: readonly AnyDeclaration[]) {
    for (const declaration of declarations) this.#add(declaration);
    for (const { declaration } of this.#byName.values()) this.#refuseCircles(declaration, []);
    for (const { definition } of this.#byName.values()) if (definition.kind === "class") touch(definition);
  }

  /** Classes derive from others, and structs hold others, in the end. */
  #refuseCircles(declaration: AnyDeclaration, above: readonly AnyDeclaration[]): void {
    if (declaration.kind === "enum") return;
    const { name, kind, base, members = [] } = declaration;
    const how = kind === "struct" ? "holds" : "derives from";
    if (above.includes(declaration)) throw new Error(`Type '${name}' ${how} itself`);
    const held = kind === "struct" ? members.filter((each) => each.kind === "field").map(({ type }) => type) : [];
    for (const next of base === undefined ? held : [base, ...held]) {
      const found = this.find(next)?.declaration;
      if (found !== undefined && found.kind === kind) this.#refuseCircles(found, [...above, declaration]);
    }
  }

  #add(declaration: AnyDeclaration): void {
    if (this.#byName.has(declaration.name)) throw new Error(`Type '${declaration.name}' is declared twice`);
    const definition = declaration.kind === "enum" ? enumFrom(declaration) : this.#classFrom(declaration);
    const registered = { declaration, definition };
    this.#byName.set(declaration.name, registered);
    const simple = simpleName(declaration.name);
    if (!this.#bySimpleName.has(simple)) this.#bySimpleName.set(simple, registered);
    if (declaration.kind === "enum" || declaration.constructs === undefined) return;
    this.#byPrototype.set(declaration.constructs.prototype, registered);
  }

  /** By full name, else by simple name. */
  find(name: string): Registered | undefined {
    return this.#byName.get(name) ?? this.#bySimpleName.get(name);
  }

  all(): Iterable<Registered> {
    return this.#byName.values();
  }

  /** The declared type of a value, by its prototypes; none for proxies. */
  of(value: object): Registered | undefined {
    for (const prototype of prototypes(value)) {
      const found = this.#byPrototype.get(prototype);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Classes that derive from one, however far. */
  derived(definition: ClassDefinition): readonly ClassDefinition[] {
    const known = this.#derived.get(definition);
    if (known !== undefined) return known;
    const found = [...this.#byName.values()].flatMap(({ definition: each }) =>
      each.kind === "class" && each !== definition && derivesFrom(each, definition) ? [each] : [],
    );
    this.#derived.set(definition, found);
    return found;
  }

  /** Of any class; the name in lower case. */
  declaresMethod(lower: string): boolean {
    for (const { declaration } of this.#byName.values())
      if (declaration.kind !== "enum" && declaration.methods?.some(({ name }) => name.toLowerCase() === lower))
        return true;
    return false;
  }

  /** A type from its text. */
  type(text: string): Type {
    return typeFromText(text, (name) => this.find(name)?.definition);
  }

  #classFrom(declaration: TypeDeclaration): ClassDefinition {
    const find = (text: string): Type => this.type(text);
    const base = (): ClassDefinition | undefined => {
      if (declaration.base === undefined) return undefined;
      const found = this.find(declaration.base)?.definition;
      if (found?.kind === "class") return found;
      throw new Error(`Type '${declaration.base}' is the base of '${declaration.name}' but no declared class`);
    };
    return lazyClass(declaration, find, base);
  }
}

const simpleName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/** Resolves what is resolved lazily, so that a wrong name shows when types are registered and not when they are used. */
const touch = (definition: ClassDefinition): void => {
  for (const method of definition.methods) method.returns(method.typeParameters);
  for (const { type } of definition.members.values()) typeName(type);
  if (definition.base !== undefined) typeName({ kind: "class", definition: definition.base });
};

const enumFrom = ({ name, values, flags = false, underlying = "Int32" }: EnumDeclaration): EnumDefinition => ({
  kind: "enum",
  name: simpleName(name),
  fullName: name,
  flags,
  underlying,
  values: new Map(Object.entries(values)),
});

/** Members and base are worked out on first use: types may refer to types declared later, and to themselves. */
const lazyClass = (
  declaration: TypeDeclaration,
  find: (text: string) => Type,
  base: () => ClassDefinition | undefined,
): ClassDefinition => {
  const { name, display, open = false, indexer } = declaration;
  let members: ReadonlyMap<string, MemberDefinition> | undefined;
  let methods: readonly MethodDefinition[] | undefined;
  let known: { readonly base: ClassDefinition | undefined } | undefined;
  const definition = {
    kind: "class" as const,
    name: simpleName(name),
    fullName: name,
    open,
    get base(): ClassDefinition | undefined {
      known ??= { base: base() };
      return known.base;
    },
    get members(): ReadonlyMap<string, MemberDefinition> {
      members ??= new Map(
        (declaration.members ?? [])
          .filter((each) => each.isStatic !== true)
          .map((each) => [each.name, memberFrom(each, find)]),
      );
      return members;
    },
    get methods(): readonly MethodDefinition[] {
      methods ??= (declaration.methods ?? [])
        .filter((each) => each.isStatic !== true)
        .map((each) => methodFrom(each, find));
      return methods;
    },
    get indexer(): ClassDefinition["indexer"] {
      return indexer === undefined
        ? undefined
        : { key: find(indexer.key), type: find(indexer.type), read: guarded(`${name}[…]`, indexer.read) };
    },
    ...(display === undefined
      ? {}
      : { display: guarded(`${name}.ToString`, (owner: object) => textOf(display, owner)) }),
  };
  return definition as ClassDefinition;
};

const textOf = (display: (owner: object) => string, owner: object): string => {
  const text: unknown = display(owner);
  return typeof text === "string" ? text.slice(0, 1_000) : "";
};

const memberFrom = (declaration: MemberDeclaration, find: (text: string) => Type): MemberDefinition => {
  const { name, read, key = name } = declaration;
  const type = find(declaration.type);
  if (read !== undefined) return { name, type, read: guarded(name, read) };
  if (key === null)
    return {
      name,
      type,
      read: () => {
        throw fault(
          "not_readable",
          `'${name}' can be listed but not read`,
          "mark it readable in the host's declaration",
        );
      },
    };
  const readOwn = (owner: object): unknown => {
    const found = ownData(owner, key);
    return found === absent ? null : found;
  };
  return { name, type, read: readOwn, key };
};

const methodFrom = (declaration: MethodDeclaration, find: (text: string) => Type): MethodDefinition => {
  const { name, typeParameters = [], parameters = [], returns, pure } = declaration;
  return {
    name,
    typeParameters,
    parameters: parameters.map(({ name: parameter, type, optional }) => ({
      name: parameter,
      type: typeParameters.includes(type) ? find("object") : find(type),
      ...(optional === undefined ? {} : { optional }),
    })),
    returns: (types) => {
      const index = typeParameters.indexOf(returns);
      if (index < 0) return find(returns);
      const given = types[index];
      return given === undefined || typeParameters.includes(given) ? find("object") : known(given, find);
    },
    call: pure === undefined ? refusing(name) : guarded(name, pure),
  };
};

const refusing = (name: string) => (): never => {
  throw fault("not_readable", `'${name}' can be listed but not called`, "the host has not marked it free of effects");
};

const known = (name: string, find: (text: string) => Type): Type | undefined => {
  try {
    return find(name);
  } catch {
    return undefined;
  }
};
