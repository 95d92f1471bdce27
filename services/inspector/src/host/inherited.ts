/** What undeclared objects have from their classes: nothing that could be read without running it, which is said rather than passed over. */
import { fault } from "@fairlead/linq";
import { prototypes } from "./reading.ts";

const getDescriptor = Object.getOwnPropertyDescriptor;
const ownKeys = Object.getOwnPropertyNames;

/** Throws when a class of the value has a getter or method of the name, in any case. What every object has does not count. */
export const refuseInherited = (owner: object, name: string): void => {
  const lower = name.toLowerCase();
  for (const prototype of prototypes(owner)) {
    if (prototype === Object.prototype) return;
    const spelt =
      getDescriptor(prototype, name) === undefined
        ? ownKeys(prototype).find((known) => known.toLowerCase() === lower)
        : name;
    const found = spelt === undefined ? undefined : getDescriptor(prototype, spelt);
    if (found === undefined) continue;
    if (!("value" in found))
      throw fault("not_readable", `'${spelt}' is a getter, which would run`, "declare the class and mark it readable");
    if (typeof found.value === "function")
      throw fault("not_readable", `'${spelt}' is a method, which would run`, "declare the class and mark it `pure`");
  }
};
