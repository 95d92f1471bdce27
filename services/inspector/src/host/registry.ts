/**
 * The types a host declared: looked up by name, by JavaScript class, by pattern. Definitions are for the language, the declarations
 * themselves stay for `explore` to show.
 */
import { type ClassDefinition, derivesFrom, type Type, type TypeDefinition } from "@fairlead/linq";
import type { AnyDeclaration, TypeDeclaration } from "./declaration.ts";
import { enumFrom, lazyClass, type MemberPolicy, simpleName, touch } from "./define-class.ts";
import { prototypes } from "./reading.ts";
import { typeFromText } from "./type-text.ts";

export interface RegisteredType {
  readonly declaration: AnyDeclaration;
  readonly definition: TypeDefinition;
}

export class Registry {
  readonly #policy: MemberPolicy;
  readonly #byName = new Map<string, RegisteredType>();
  readonly #bySimpleName = new Map<string, RegisteredType>();
  readonly #byPrototype = new WeakMap<object, RegisteredType>();
  readonly #derived = new Map<ClassDefinition, readonly ClassDefinition[]>();

  /** Throws when a declaration names a type that is not among them, two have one name, or one is made of itself. */
  constructor(declarations: readonly AnyDeclaration[], policy: MemberPolicy = {}) {
    this.#policy = policy;
    for (const declaration of declarations) this.#add(declaration);
    for (const { declaration } of this.#byName.values()) this.#refuseCircles(declaration, []);
    for (const { definition } of this.#byName.values()) if (definition.kind === "class") touch(definition);
  }

  /** Refuses classes that derive from themselves, and structs that contain themselves. */
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
  find(name: string): RegisteredType | undefined {
    return this.#byName.get(name) ?? this.#bySimpleName.get(name);
  }

  all(): Iterable<RegisteredType> {
    return this.#byName.values();
  }

  /** The declared type of a value, by its prototypes; none for proxies. */
  of(value: object): RegisteredType | undefined {
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

  /** True when the class has a JavaScript class. */
  constructs({ fullName }: ClassDefinition): boolean {
    const found = this.#byName.get(fullName)?.declaration;
    return found !== undefined && found.kind !== "enum" && found.constructs !== undefined;
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
    const findClass = (value: object): ClassDefinition | undefined => {
      const found = this.of(value)?.definition;
      return found?.kind === "class" ? found : undefined;
    };
    return lazyClass(declaration, { find, base, findClass, policy: this.#policy });
  }
}
