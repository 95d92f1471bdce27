/** The names of classes that a program wrote, read from prototypes. Nothing of the program runs. */
import { prototypes } from "../host/reading.ts";

const sourceText = Function.prototype.toString;

/** The name of a prototype's class, when the program wrote that class. */
export const className = (prototype: object): string | undefined => {
  const made: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  if (typeof made !== "function" || Object.getOwnPropertyDescriptor(made, "prototype") === undefined) return undefined;
  const name: unknown = Object.getOwnPropertyDescriptor(made, "name")?.value;
  if (typeof name !== "string" || name === "") return undefined;
  const isBuiltIn = String(Reflect.apply(sourceText, made, [])).endsWith("{ [native code] }");
  const belongs = Object.getOwnPropertyDescriptor(made, "prototype")?.value === prototype;
  return isBuiltIn || !belongs ? undefined : name;
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
