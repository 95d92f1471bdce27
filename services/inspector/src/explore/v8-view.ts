/**
 * What descriptors can not show of a foreign object: private fields and accessors, methods of its class. Read through V8's
 * inspector, which lists them without calling anything.
 *
 * @NOTE V8 describes an `Error` by reading its `stack` and `message`, getters included. An object that holds one is therefore not
 * shown to the engine; an error behind a private field can not be seen beforehand, and its `stack` would be read.
 * Scopes, prototypes and the insides of functions are never followed: they lead to everything.
 */
import { type Runtime, Session } from "node:inspector";
import { types } from "node:util";
import type { Json } from "../answer/encode.ts";
import { elementsOf, isProxy, ownNames, prototypes } from "../host/reading.ts";
import type { HiddenMember, HiddenView } from "./live.ts";
import type { MethodInfo } from "./shape.ts";

const slot = Symbol.for("fairlead.inspector.shown");
const source = Function.prototype.toString;

/** The part of the answer that the types of Node do not have. */
interface Properties {
  readonly privateProperties?: readonly {
    readonly name: string;
    readonly value?: Runtime.RemoteObject;
    readonly get?: Runtime.RemoteObject;
    readonly set?: Runtime.RemoteObject;
  }[];
}

/** Opens a session on this thread on first use. */
export class V8View implements HiddenView {
  #session: Session | undefined;

  className(value: object): string {
    return isProxy(value) ? "Proxy" : classNameOf(value);
  }

  /** Private members and accessors; nothing for proxies, which show nothing but their target. */
  members(value: object): readonly HiddenMember[] {
    if (isProxy(value)) return [];
    return [...(hasPrivates(value) && !holdsError(value) ? this.#privates(value) : []), ...accessors(value)];
  }

  methods(value: object): readonly MethodInfo[] {
    return isProxy(value) ? [] : methodsOf(value);
  }

  close(): void {
    this.#session?.disconnect();
    this.#session = undefined;
  }

  #privates(value: object): readonly HiddenMember[] {
    const objectId = this.#reference(value);
    if (objectId === undefined) return [];
    try {
      const found = this.#post<Properties>("Runtime.getProperties", {
        objectId,
        ownProperties: true,
        nonIndexedPropertiesOnly: true,
      });
      return (found?.privateProperties ?? []).map(
        (each): HiddenMember => ({
          name: each.name,
          kind: each.get === undefined && each.set === undefined ? "field" : "accessor",
          access: "private",
          type: typeOf(each.value),
          value: shown(each.value),
        }),
      );
    } finally {
      this.#post("Runtime.releaseObject", { objectId });
    }
  }

  /** Hands the value to the engine by way of a property that exists only while it is read. */
  #reference(value: object): string | undefined {
    Object.defineProperty(globalThis, slot, { value, configurable: true });
    try {
      const expression = `globalThis[Symbol.for(${JSON.stringify(slot.description)})]`;
      return this.#post<Runtime.EvaluateReturnType>("Runtime.evaluate", { expression, silent: true })?.result.objectId;
    } finally {
      Reflect.deleteProperty(globalThis, slot);
    }
  }

  /** The session of this thread answers before `post` returns. */
  #post<T>(method: string, parameters: object): T | undefined {
    if (this.#session === undefined) {
      this.#session = new Session();
      this.#session.connect();
    }
    let answer: T | undefined;
    this.#session.post(method, parameters, (error: Error | null, result?: object) => {
      if (error === null) answer = result as T;
    });
    return answer;
  }
}

const classNameOf = (value: object): string => {
  for (const prototype of prototypes(value)) {
    const made = constructorOf(prototype);
    if (made !== undefined) return nameOf(made);
  }
  return "Object";
};

const constructorOf = (prototype: object): object | undefined => {
  const found = Object.getOwnPropertyDescriptor(prototype, "constructor");
  const made: unknown = found !== undefined && "value" in found ? found.value : undefined;
  return typeof made === "function" && !isProxy(made) ? made : undefined;
};

const nameOf = (made: object): string => {
  const found = Object.getOwnPropertyDescriptor(made, "name");
  return found !== undefined && typeof found.value === "string" ? found.value : "Object";
};

/** True when a class of the value mentions a private name; asking the engine is not free. */
const hasPrivates = (value: object): boolean => {
  for (const prototype of prototypes(value)) {
    const made = constructorOf(prototype);
    if (made !== undefined && Reflect.apply(source, made, []).includes("#")) return true;
  }
  return false;
};

const holdsError = (value: object): boolean =>
  types.isNativeError(value) ||
  ownNames(value).some((name) => {
    const found = Object.getOwnPropertyDescriptor(value, name);
    return found !== undefined && "value" in found && types.isNativeError(found.value);
  }) ||
  (elementsOf(value, Number.POSITIVE_INFINITY) ?? []).some((each) => types.isNativeError(each));

const accessors = (value: object): readonly HiddenMember[] => {
  const found = new Map<string, HiddenMember>();
  for (const owner of [value, ...prototypes(value)]) {
    if (owner === Object.prototype) break;
    for (const name of ownNames(owner)) {
      const each = Object.getOwnPropertyDescriptor(owner, name);
      if (each === undefined || "value" in each || found.has(name)) continue;
      found.set(name, {
        name,
        kind: "accessor",
        access: "public",
        type: each.get === undefined ? "set" : each.set === undefined ? "get" : "get, set",
        value: null,
      });
    }
  }
  return [...found.values()];
};

/** Methods of the classes of a value, nearest first, without Object's. */
const methodsOf = (value: object): readonly MethodInfo[] => {
  const found = new Map<string, MethodInfo>();
  for (const prototype of prototypes(value)) {
    if (
      prototype === Object.prototype ||
      prototype === Array.prototype ||
      prototype === Map.prototype ||
      prototype === Set.prototype
    )
      break;
    for (const name of ownNames(prototype)) {
      const each = Object.getOwnPropertyDescriptor(prototype, name);
      if (name === "constructor" || found.has(name) || each === undefined || typeof each.value !== "function") continue;
      found.set(name, { name, signature: `${name}(${parametersOf(each.value)})`, access: "public", callable: false });
    }
  }
  return [...found.values()];
};

/** The parameter list as written, when it is simple. */
const parametersOf = (method: object): string => {
  const text: string = isProxy(method) ? "" : Reflect.apply(source, method as () => void, []);
  const list = /^[^(]{0,200}\(([^()]{0,200})\)/.exec(text)?.[1] ?? "";
  return list.replaceAll(/\s+/g, " ").trim();
};

const typeOf = (value: Runtime.RemoteObject | undefined): string =>
  value === undefined ? "accessor" : (value.className ?? value.subtype ?? value.type);

const shown = (value: Runtime.RemoteObject | undefined): Json => {
  if (value === undefined || value.subtype === "null") return null;
  if (value.type === "function") return "(function)";
  const plain: unknown = value.value;
  if (typeof plain === "string" || typeof plain === "number" || typeof plain === "boolean") return plain;
  return (value.unserializableValue ?? value.description ?? value.type).split("\n", 1)[0]?.slice(0, 200) ?? null;
};
