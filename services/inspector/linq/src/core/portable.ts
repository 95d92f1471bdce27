/**
 * How a function of ours is made again where this package is not: by the name of the declaration that made it and its
 * arguments. The checked tree contains such functions; from their recipes it can be written as source.
 */
interface Recipe {
  /** Name of a declaration in this package; each is declared once. */
  readonly make: string;
  /** What the declaration was called with; undefined when the declaration is the value itself. */
  readonly given?: readonly unknown[];
}

const recipes = new WeakMap<object, Recipe>();
const declarations = new Map<string, unknown>();

const declare = <T>(name: string, declaration: T): T => {
  if (declarations.has(name)) throw new Error(`Two declarations have the name ${name}`);
  declarations.set(name, declaration);
  return declaration;
};

/** A maker whose results remember how they were made. */
export const portable = <A extends readonly unknown[], R extends object | undefined>(
  make: string,
  from: (...given: A) => R,
): ((...given: A) => R) =>
  declare(make, (...given: A): R => {
    const made = from(...given);
    if (made !== undefined) recipes.set(made, { make, given });
    return made;
  });

/** A value that goes by a name. */
export const named = <T extends object>(make: string, value: T): T => {
  recipes.set(value, { make });
  return declare(make, value);
};

export const findRecipe = (value: object): Recipe | undefined => recipes.get(value);

/** Every declaration that a recipe can name, of the modules that were loaded. */
export const portableDeclarations = (): ReadonlyMap<string, unknown> => declarations;
