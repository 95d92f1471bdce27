/**
 * What descriptors can not show of a foreign object: private fields and accessors, methods of its class. Accessors are listed by
 * V8's inspector, which calls nothing; fields are read by their names in the class's source, in an expression as a debugger's console has it.
 *
 * @NOTE The inspector describes an `Error` by reading its `stack` and `message`, getters included. Therefore only accessors are requested of it,
 * which leaves private fields undescribed, and nothing of an object that visibly contains an error. A field that another
 * class put on the object is in none of the sources, and one whose name two of its classes have is ambiguous: neither is shown.
 * Scopes, prototypes and the insides of functions are never followed: they lead to everything.
 */
import type { Runtime } from "node:inspector";
import { types } from "node:util";
import type { Json } from "../encode/encode.ts";
import { NameReader } from "../host/names.ts";
import { functionText } from "../host/opaque.ts";
import { describeOwn, isProxy, mapEntries, prototypes, readListing } from "../host/reading.ts";
import { longestSecret, maskText } from "../host/redaction.ts";
import { EngineSession } from "./engine-session.ts";
import type { HiddenMember, HiddenView } from "./hidden-view.ts";
import type { MethodInfo } from "./shape.ts";

const source = Function.prototype.toString;

/** The part of the answer that the types of Node do not have. */
interface Properties {
  readonly privateProperties?: readonly {
    readonly name: string;
  }[];
}

interface ViewOptions {
  /** True for names of private members whose values the host keeps to itself. */
  readonly hides?: (name: string) => boolean;
  readonly names?: NameReader;
  /** Closed by whoever opened it. */
  readonly engine?: EngineSession;
}

export class V8View implements HiddenView {
  readonly #hides: (name: string) => boolean;
  readonly #names: NameReader;
  readonly #engine: EngineSession;

  constructor({ hides = () => false, names = new NameReader(), engine = new EngineSession() }: ViewOptions = {}) {
    this.#hides = hides;
    this.#names = names;
    this.#engine = engine;
  }

  className(value: object): string {
    return isProxy(value) ? "Proxy" : readClassName(value);
  }

  /** Private members and accessors; nothing for proxies, which show nothing but their target. */
  members(value: object): readonly HiddenMember[] {
    if (isProxy(value)) return [];
    const { calling, held } = this.#private(value);
    const fields = held.filter((each) => !isPrivateMethod(each.value));
    return [
      ...[...calling].map(privateAccessor),
      ...fields.map((field) => privateField(field, this.#hides(field.name))),
      ...symbolMembers(value, this.#hides),
      ...accessors(value, this.#names),
    ];
  }

  /** Methods of its classes, and private ones. */
  methods(value: object): readonly MethodInfo[] {
    if (isProxy(value)) return [];
    const hidden = this.#private(value).held.filter((each) => isPrivateMethod(each.value));
    return [...listMethods(value, this.#names), ...hidden.map((each) => methodInfo(each.name, each.value, "private"))];
  }

  /** Private members: the names of those that run code when they are read, and the values of the others. */
  #private(value: object): { readonly calling: ReadonlySet<string>; readonly held: readonly PrivateValue[] } {
    const names = privateNames(value);
    if (names.length === 0 || mayHoldError(value, this.#names)) return { calling: new Set(), held: [] };
    const calling = this.#privateAccessors(value);
    const held = names.flatMap((name) => {
      return calling.has(name) ? [] : this.#privateMember(value, name);
    });
    return { calling, held };
  }

  /** Names of private members that run code when they are read. */
  #privateAccessors(value: object): ReadonlySet<string> {
    const objectId = this.#reference(value);
    if (objectId === undefined) return new Set();
    try {
      const found = this.#engine.post<Properties>("Runtime.getProperties", {
        objectId,
        ownProperties: true,
        accessorPropertiesOnly: true,
        nonIndexedPropertiesOnly: true,
      });
      return new Set((found?.privateProperties ?? []).map(({ name }) => name));
    } finally {
      this.#engine.post("Runtime.releaseObject", { objectId });
    }
  }

  /**
   * A private field or method of a name; none when the object has none or two of it. A private getter would run.
   *
   * @NOTE Only in `replMode` does V8 read private names outside their class. Its answer comes later, after a promise, therefore the expression
   * hands the value over itself; and its result is nothing, so that the inspector describes no value.
   */
  #privateMember(value: object, name: string): readonly PrivateValue[] {
    const found: PrivateValue[] = [];
    const take = (member: unknown): void => {
      found.push({ name, value: member });
    };
    this.#engine.passing({ value, take }, (passed) => {
      const expression = `${passed}.take(${passed}.value.${name})`;
      this.#engine.post("Runtime.evaluate", { expression, silent: true, replMode: true });
    });
    return found;
  }

  #reference(value: object): string | undefined {
    const evaluate = (expression: string) =>
      this.#engine.post<Runtime.EvaluateReturnType>("Runtime.evaluate", { expression, silent: true });
    return this.#engine.passing(value, evaluate)?.result.objectId;
  }
}

const readClassName = (value: object): string => {
  for (const prototype of prototypes(value)) {
    const made = findConstructor(prototype);
    if (made !== undefined) return readName(made);
  }
  return "Object";
};

const findConstructor = (prototype: object): object | undefined => {
  const found = Object.getOwnPropertyDescriptor(prototype, "constructor");
  const made: unknown = found !== undefined && "value" in found ? found.value : undefined;
  return typeof made === "function" && !isProxy(made) ? made : undefined;
};

const readName = (made: object): string => {
  const found = Object.getOwnPropertyDescriptor(made, "name");
  return found !== undefined && typeof found.value === "string" ? found.value : "Object";
};

/** Private names in the sources of a value's classes, its own class first. */
const privateNames = (value: object): readonly string[] => {
  const names = new Set<string>();
  for (const prototype of prototypes(value)) {
    const made = findConstructor(prototype);
    const text: string = made === undefined ? "" : Reflect.apply(source, made, []);
    for (const [name] of text.matchAll(/#[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) names.add(name);
  }
  return [...names];
};

const privateAccessor = (name: string): HiddenMember => ({
  name,
  kind: "accessor",
  access: "private",
  type: "accessor",
  unreadable: refusedGetter(name),
});

/** As an expression that reads it is refused. */
const refusedGetter = (name: string): string =>
  `'${name}' is a getter, which would run; declare the class and mark it readable`;

/** A private field or method of a value. */
interface PrivateValue {
  readonly name: string;
  readonly value: unknown;
}

/** A field as its value, one level deep. */
const privateField = ({ name, value }: PrivateValue, isRedacted: boolean): HiddenMember => ({
  name,
  kind: "field",
  access: "private",
  type: typeOf(value),
  ...(isRedacted ? { redacted: true } : { value: shown(value) }),
});

/** Members under symbols that are listed. */
const mostSymbols = 50;

/** Own members under symbols, which no expression can name. */
const symbolMembers = (value: object, hides: (name: string) => boolean): readonly HiddenMember[] =>
  Object.getOwnPropertySymbols(value)
    .slice(0, mostSymbols)
    .flatMap((symbol): readonly HiddenMember[] => {
      const found = Object.getOwnPropertyDescriptor(value, symbol);
      if (found === undefined) return [];
      const name = `[Symbol(${symbol.description ?? ""})]`;
      const head = { name, kind: "field", access: "public" } as const;
      if (!("value" in found))
        return [{ ...head, kind: "accessor", type: "accessor", unreadable: refusedGetter(name) }];
      const type = typeOf(found.value);
      return [
        { ...head, type, ...(hides(symbol.description ?? "") ? { redacted: true } : { value: shown(found.value) }) },
      ];
    });

const isPrivateMethod = (value: unknown): boolean =>
  typeof value === "function" && !isProxy(value) && /^(?:async)?[\s*]*#/.test(Reflect.apply(source, value, []));

/** True as well for what has too many names or elements to look at all of them. */
const mayHoldError = (value: object, names: NameReader): boolean =>
  types.isNativeError(value) ||
  names.read(value).some((name) => {
    const found = describeOwn(value, name);
    return found !== undefined && "value" in found && types.isNativeError(found.value);
  }) ||
  mayHoldErrorAmong(value);

/** Elements that are looked at. */
const mostElements = 10_000;

const mayHoldErrorAmong = (value: object): boolean => {
  const elements = readListing(value);
  if (elements !== undefined && elements.length > mostElements) return true;
  for (let index = 0; elements !== undefined && index < elements.length; index++)
    if (types.isNativeError(elements.at(index))) return true;
  return false;
};

/** Of its classes: its own ones are among its members. */
const accessors = (value: object, names: NameReader): readonly HiddenMember[] => {
  const found = new Map<string, HiddenMember>();
  for (const owner of prototypes(value)) {
    if (owner === Object.prototype) break;
    for (const name of names.read(owner)) {
      const each = Object.getOwnPropertyDescriptor(owner, name);
      if (each === undefined || "value" in each || found.has(name)) continue;
      found.set(name, {
        name,
        kind: "accessor",
        access: "public",
        type: each.get === undefined ? "set" : each.set === undefined ? "get" : "get, set",
        unreadable: each.get === undefined ? `'${name}' can be set but not read` : refusedGetter(name),
      });
    }
  }
  return [...found.values()];
};

/** Methods of the classes of a value, nearest first, without Object's. */
const listMethods = (value: object, names: NameReader): readonly MethodInfo[] => {
  const found = new Map<string, MethodInfo>();
  for (const prototype of prototypes(value)) {
    if (
      prototype === Object.prototype ||
      prototype === Array.prototype ||
      prototype === Map.prototype ||
      prototype === Set.prototype
    )
      break;
    for (const name of names.read(prototype)) {
      const each = Object.getOwnPropertyDescriptor(prototype, name);
      if (name === "constructor" || found.has(name) || each === undefined || typeof each.value !== "function") continue;
      found.set(name, methodInfo(name, each.value, "public"));
    }
  }
  return [...found.values()];
};

const methodInfo = (name: string, method: unknown, access: "public" | "private"): MethodInfo => ({
  name,
  signature: `${name}(${readParameters(method)})`,
  access,
  callable: false,
});

/** The parameter list as written, when it is simple; what a parameter is by default may be a secret and is not shown. */
const readParameters = (method: unknown): string => {
  const text: string = typeof method !== "function" || isProxy(method) ? "" : Reflect.apply(source, method, []);
  const list = /^[^(]{0,200}\(([^()]{0,200})\)/.exec(text)?.[1] ?? "";
  return splitParameters(list).map(withoutDefault).join(", ");
};

/** Parameters at commas that are in no text and in no brackets. */
const splitParameters = (list: string): readonly string[] => {
  const parts: string[] = [""];
  let depth = 0;
  let quote = "";
  for (const unit of list) {
    if (quote === "" && depth === 0 && unit === ",") {
      parts.push("");
      continue;
    }
    parts[parts.length - 1] += unit;
    if (quote !== "") quote = unit === quote ? "" : quote;
    else if (unit === '"' || unit === "'" || unit === "`") quote = unit;
    else if (unit === "{" || unit === "[") depth++;
    else if (unit === "}" || unit === "]") depth--;
  }
  return parts.map((part) => part.replaceAll(/\s+/g, " ").trim()).filter((part) => part !== "");
};

const withoutDefault = (parameter: string): string => {
  if (!parameter.includes("=")) return parameter;
  const name = /^(?:\.\.\.)?[\p{ID_Start}$_][\p{ID_Continue}$]*/u.exec(parameter)?.[0];
  return name === undefined ? "{ … }" : `${name} = …`;
};

const typeOf = (value: unknown): string => {
  if (typeof value !== "object") return typeof value;
  if (value === null) return "null";
  return isProxy(value) ? "Proxy" : readClassName(value);
};

/** A scalar itself, the size of a collection, the class of anything else. */
const shown = (value: unknown): Json => {
  switch (typeof value) {
    case "string":
      return maskText(value.slice(0, 200 + longestSecret)).slice(0, 200);
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return String(value);
    case "function":
      return maskText(functionText(value));
    case "symbol":
      return "(symbol)";
    case "undefined":
      return null;
    case "object": {
      if (value === null) return null;
      const size = mapEntries(value)?.size ?? collectionSize(value);
      return size === undefined ? typeOf(value) : `${typeOf(value)}(${size})`;
    }
  }
};

const collectionSize = (value: object): number | undefined => readListing(value)?.length;
