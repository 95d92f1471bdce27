/**
 * Getters and methods of classes without a declaration, where the host allows them to be run as long as they change nothing. Here is which member is
 * meant; who runs it and watches over it is the engine (`explore/engine-calls.ts`).
 */
import { absent, fault, type HostAccess } from "@fairlead/linq";
import { isProxy, prototypes } from "./reading.ts";

export interface CheckedCalls {
  /** The value of a getter. Throws `not_readable` where it would change something, fails, or takes too long. */
  read(owner: object, name: string): unknown;
  /** What a method gives. Throws as `read` does. */
  call(owner: object, name: string, values: readonly unknown[]): unknown;
}

type CheckedReads = Pick<HostAccess, "field" | "callMember">;

const getDescriptor = Object.getOwnPropertyDescriptor;

/** The reads of a host in which getters and methods are run. */
export const withCheckedCalls = (host: HostAccess, calls: CheckedCalls): CheckedReads => ({
  field: (owner, name) => {
    const getter = findMember(owner, name, host, isGetter);
    return getter === undefined ? host.field(owner, name) : calls.read(owner, getter);
  },
  callMember: (owner, name, values) => {
    const method = findMember(owner, name, host, isMethod);
    return method === undefined ? absent : calls.call(owner, method, values.map(plainArgument));
  },
});

const isGetter = (found: PropertyDescriptor): boolean => found.get !== undefined;
const isMethod = (found: PropertyDescriptor): boolean => typeof found.value === "function" && !isProxy(found.value);

/** The name, as spelt, of the nearest member that is of the kind; an own one of another kind hides those of the classes. */
const findMember = (
  owner: object,
  name: string,
  host: HostAccess,
  isWanted: (found: PropertyDescriptor) => boolean,
): string | undefined => {
  if (isProxy(owner)) return undefined;
  const own = getDescriptor(owner, name);
  if (own !== undefined) return isWanted(own) ? name : undefined;
  for (const spelt of [name, ...otherSpellings(owner, name, host)])
    for (const prototype of prototypes(owner)) {
      if (prototype === Object.prototype) break;
      const found = getDescriptor(prototype, spelt);
      if (found !== undefined) return isWanted(found) ? spelt : undefined;
    }
  return undefined;
};

/** Names of its classes in another case, where no own member has one of them. */
const otherSpellings = function* (owner: object, name: string, { fieldNames }: HostAccess): Iterable<string> {
  const lower = name.toLowerCase();
  const isLike = (known: string): boolean => known.toLowerCase() === lower;
  if (fieldNames(owner).some(isLike)) return;
  for (const prototype of prototypes(owner)) {
    if (prototype === Object.prototype) return;
    yield* fieldNames(prototype).filter(isLike);
  }
};

/** Arguments are texts, numbers and truths: whatever else the language has is not what a method expects. */
const plainArgument = (value: unknown): unknown => {
  if (value === null || ["string", "number", "boolean", "bigint"].includes(typeof value)) return value;
  throw fault("wrong_arguments", "A method without a declaration takes texts, numbers, Booleans and null only");
};
