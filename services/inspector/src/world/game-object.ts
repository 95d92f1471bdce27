/**
 * The classes of the simulated game's objects. Each is declared for the inspector and made as a JavaScript class whose members
 * are own data properties, so that queries read them directly.
 */

import {
  type MemberDeclaration,
  type MethodDeclaration,
  member,
  properties,
  type TypeDeclaration,
} from "../host/declaration.ts";

/** Distinguishes the game's own objects from anything that only looks alike; no code of the value runs. */
class GameObjectBase {
  readonly #made = true;
  static made(value: unknown): value is GameObjectBase {
    return typeof value === "object" && value !== null && #made in value;
  }
}

/** An object of the game; members by their declared names. */
export type GameObject = GameObjectBase & { [name: string]: unknown };

export interface GameObjectClass {
  readonly declaration: TypeDeclaration;
  /** Makes one. Members that are left out are null. */
  readonly make: (values: Readonly<Record<string, unknown>>) => GameObject;
}

interface ClassOptions {
  /** A class when left out. */
  readonly kind?: "interface";
  readonly base?: GameObjectClass;
  readonly members?: readonly MemberDeclaration[];
  readonly methods?: readonly MethodDeclaration[];
  readonly display?: (thing: GameObject) => string;
  readonly indexer?: TypeDeclaration["indexer"];
}

const names = new WeakMap<object, readonly string[]>();

/** Declares a class of game objects: its public properties, and whatever else it has. */
export const gameObjectClass = (
  name: string,
  types: Readonly<Record<string, string>>,
  more: ClassOptions = {},
): GameObjectClass => {
  const members = [...properties(types), ...(more.members ?? [])];
  const inherited = more.base === undefined ? [] : (names.get(more.base) ?? []);
  const own = members
    .filter(({ isStatic, read, key }) => isStatic !== true && read === undefined && key !== null)
    .map((each) => each.name);
  const all = [...new Set([...inherited, ...own])];
  const Made = class extends GameObjectBase {
    constructor(values: Readonly<Record<string, unknown>>) {
      super();
      for (const each of all)
        Object.defineProperty(this, each, {
          value: values[each] ?? null,
          writable: true,
          enumerable: true,
          configurable: true,
        });
    }
  };
  const { display } = more;
  const declaration: TypeDeclaration = {
    name,
    kind: more.kind ?? "class",
    constructs: Made,
    members,
    ...(more.base === undefined ? {} : { base: more.base.declaration.name }),
    ...(more.methods === undefined ? {} : { methods: more.methods }),
    ...(display === undefined ? {} : { display: (owner: object) => (isGameObject(owner) ? display(owner) : "") }),
    ...(more.indexer === undefined ? {} : { indexer: more.indexer }),
  };
  const made: GameObjectClass = { declaration, make: (values) => new Made(values) as unknown as GameObject };
  names.set(made, all);
  return made;
};

const isGameObject = (value: unknown): value is GameObject => GameObjectBase.made(value);

/** A method that the inspector may call. */
export const pure = (
  name: string,
  returns: string,
  parameters: Readonly<Record<string, string>>,
  run: (owner: GameObject, values: readonly unknown[]) => unknown,
): MethodDeclaration => ({
  name,
  returns,
  parameters: Object.entries(parameters).map(([parameter, type]) => ({ name: parameter, type })),
  pure: (owner, _, values) => (isGameObject(owner) ? run(owner, values) : null),
});

/** A private field. */
export const hidden = (name: string, type: string): MemberDeclaration =>
  member(name, type, { kind: "field", access: "private" });
