/** What objects have from their classes beyond what is declared: nothing that could be used without running it, which is said rather than passed over. */
import { fault } from "@fairlead/linq";
import type { NameReader } from "./names.ts";
import { prototypes } from "./reading.ts";

const getDescriptor = Object.getOwnPropertyDescriptor;

/** What an expression would do with a member; it reads it when left out. */
interface MemberUse {
  readonly name: string;
  readonly use: "read" | "call" | undefined;
}

/** Throws when a class of the value has a getter or method of the name, in any case. What every object has does not count. */
export const refuseInherited = (owner: object, wanted: MemberUse, names: NameReader): void =>
  refuseOn(prototypes(owner), wanted, names);

/** The same for instances of a class whose declaration has no such member. */
export const refuseUndeclared = (prototype: object, wanted: MemberUse, names: NameReader): void =>
  refuseOn([prototype, ...prototypes(prototype)], wanted, names);

const refuseOn = (chain: Iterable<object>, { name, use = "read" }: MemberUse, names: NameReader): void => {
  const lower = name.toLowerCase();
  for (const prototype of chain) {
    if (prototype === Object.prototype) return;
    const spelt =
      getDescriptor(prototype, name) === undefined
        ? names.read(prototype).find((known) => known.toLowerCase() === lower)
        : name;
    const found = spelt === undefined ? undefined : getDescriptor(prototype, spelt);
    if (spelt === undefined || found === undefined) continue;
    if (!("value" in found))
      throw fault("not_readable", `'${spelt}' is a getter, which would run`, "declare the class and mark it readable");
    if (typeof found.value === "function") throw refuseMethod(spelt, use);
  }
};

/** The error of a method without a declaration. */
const refuseMethod = (name: string, use: "read" | "call"): Error =>
  use === "call"
    ? fault("not_readable", `'${name}' can be listed but not called`, "declare the class and mark it `pure`")
    : fault("not_readable", `'${name}' is a method, which would run`, "declare the class and mark it `pure`");
