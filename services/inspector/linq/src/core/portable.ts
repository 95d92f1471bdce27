/**
 * How a function of ours is made again where none of this house is: by the name of the declaration that made it and what it was
 * given. The checked tree holds such functions; from their recipes it can be written as source.
 */
export interface Recipe {
  /** Name of a declaration in this package; unique among those that are used so. */
  readonly make: string;
  /** What the declaration was called with; undefined when the declaration is the value itself. */
  readonly given?: readonly unknown[];
}

const recipes = new WeakMap<object, Recipe>();

/** A maker whose results remember how they were made. It goes by its own name: `const add = portable("add", …)`. */
export const portable =
  <A extends readonly unknown[], R extends object | undefined>(
    make: string,
    from: (...given: A) => R,
  ): ((...given: A) => R) =>
  (...given) => {
    const made = from(...given);
    if (made !== undefined) recipes.set(made, { make, given });
    return made;
  };

/** A value that goes by the name it is declared with. */
export const named = <T extends object>(make: string, value: T): T => {
  recipes.set(value, { make });
  return value;
};

export const recipeOf = (value: object): Recipe | undefined => recipes.get(value);
