/** The names of classes that a program wrote, read from prototypes. Nothing of the program runs. */
import { prototypes } from "../host/reading.ts";

const sourceText = Function.prototype.toString;

/** The function that made a prototype, when it belongs to it. */
const findConstructor = (prototype: object): object | undefined => {
  const made: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  if (typeof made !== "function") return undefined;
  return Object.getOwnPropertyDescriptor(made, "prototype")?.value === prototype ? made : undefined;
};

/** The name of a prototype's class, of the language's own as well. */
export const constructorName = (prototype: object): string | undefined => {
  const made = findConstructor(prototype);
  const name: unknown = made === undefined ? "" : Object.getOwnPropertyDescriptor(made, "name")?.value;
  return typeof name === "string" && name !== "" ? name : undefined;
};

/** The name of a prototype's class, when the program wrote that class. */
export const className = (prototype: object): string | undefined => {
  const made = findConstructor(prototype);
  const isBuiltIn = made === undefined || String(Reflect.apply(sourceText, made, [])).endsWith("{ [native code] }");
  return isBuiltIn ? undefined : constructorName(prototype);
};

/** The classes of objects, from the own one to the uppermost; each prototype is read once. */
export class ClassNames {
  readonly #known = new Map<object, readonly string[]>();

  of(value: object): readonly string[] {
    const [own] = prototypes(value);
    if (own === undefined) return [];
    const known = this.#known.get(own) ?? [...prototypes(value)].flatMap((each) => className(each) ?? []);
    this.#known.set(own, known);
    return known;
  }
}
