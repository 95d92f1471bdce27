/**
 * Classes without a declaration, learned from the objects that roots lead to: by their prototypes, and by what some instances own. Nothing of the
 * host runs: objects are read as `explore` reads them, and of a getter only its name is known.
 *
 * The walk is bounded, so a class whose objects are far away or the last of a long list is not found; the answer says how far it went.
 */
import type { HostAccess, Resumable } from "@fairlead/linq";
import { prototypes } from "../host/reading.ts";
import { maskText } from "../host/redaction.ts";
import { className } from "./class-name.ts";
import type { HiddenView } from "./hidden-view.ts";
import { maskMethod } from "./mask.ts";
import { ObjectWalk, readable } from "./object-walk.ts";
import type { MemberInfo, MethodInfo } from "./shape.ts";

/** A class as it was learned. */
export interface LearnedClass {
  readonly name: string;
  readonly base: string | undefined;
  /** Own fields of instances, private fields and accessors, those of its bases included. */
  readonly members: readonly MemberInfo[];
  readonly methods: readonly MethodInfo[];
  /** Objects of exactly this class that were met. */
  readonly instances: number;
}

/** What a walk found. */
export interface LearnedTypes {
  readonly classes: readonly LearnedClass[];
  readonly objects: number;
  /** True when objects were left out. */
  readonly isCut: boolean;
  /** Objects with too many names to list them without stopping the program. */
  readonly passedOver: number;
}

interface LearningOptions {
  readonly host: HostAccess;
  readonly hidden: HiddenView;
  /** Milliseconds from any origin. */
  readonly elapsed: () => number;
  readonly wallMs: number;
}

/** Objects that one walk looks at. */
const mostObjects = 10_000;
/** Elements of one list or map, and fields of one object, that it follows. */
const mostEach = 200;
/** Instances of a class whose fields are compared. */
const mostCompared = 32;

/** Walks over what the roots lead to. */
export const learnTypes = function* (options: LearningOptions): Resumable<LearnedTypes> {
  const known = new ClassTable(options);
  const walk = new ObjectWalk({ ...options, mostObjects, mostEach });
  yield* walk.run((value, names) => known.meet(value, names));
  return { classes: known.classes(), objects: walk.objects, isCut: walk.isCut, passedOver: walk.passedOver };
};

interface ClassEntry {
  readonly name: string;
  readonly base: string | undefined;
  readonly fields: Map<string, MemberInfo>;
  readonly methods: readonly MethodInfo[];
  readonly accessors: readonly MemberInfo[];
  privates: readonly MemberInfo[] | undefined;
  instances: number;
}

class ClassTable {
  readonly #options: LearningOptions;
  readonly #byPrototype = new Map<object, ClassEntry | undefined>();

  constructor(options: LearningOptions) {
    this.#options = options;
  }

  meet(value: object, names: readonly string[]): void {
    const { host, hidden } = this.#options;
    if (host.findClass(value) !== undefined) return;
    const chain = [...prototypes(value)];
    const [own] = chain.map((prototype, index) => this.#entry(prototype, chain[index + 1]));
    if (own === undefined || own.instances++ >= mostCompared) return;
    own.privates ??= hidden
      .members(value)
      .filter(({ access }) => access === "private")
      .map(withoutValue);
    for (const name of names.slice(0, mostEach)) addField(own.fields, value, { name, host, hidden });
  }

  classes(): readonly LearnedClass[] {
    const found = [...this.#byPrototype.values()].filter((entry) => entry !== undefined);
    return found.map(({ name, base, fields, privates = [], accessors, methods, instances }) => {
      const members = [...fields.values(), ...privates, ...accessors.filter((each) => !fields.has(each.name))];
      return { name, base, members, methods, instances };
    });
  }

  #entry(prototype: object, above: object | undefined): ClassEntry | undefined {
    if (!this.#byPrototype.has(prototype)) this.#byPrototype.set(prototype, this.#learn(prototype, above));
    return this.#byPrototype.get(prototype);
  }

  #learn(prototype: object, above: object | undefined): ClassEntry | undefined {
    const name = className(prototype);
    if (name === undefined) return undefined;
    const { hidden } = this.#options;
    // An object of no class has nothing of its own; no constructor runs.
    const probe: object = Object.create(prototype);
    return {
      name,
      base: above === undefined ? undefined : className(above),
      fields: new Map(),
      methods: hidden.methods(probe).map(maskMethod),
      accessors: hidden
        .members(probe)
        .filter(({ access }) => access === "public")
        .map(withoutValue),
      privates: undefined,
      instances: 0,
    };
  }
}

const addField = (
  fields: Map<string, MemberInfo>,
  value: object,
  { name, host, hidden }: { readonly name: string } & Pick<LearningOptions, "host" | "hidden">,
): void => {
  const shown = maskText(name);
  const redacted = host.redactedType?.(value, name);
  const type =
    redacted ??
    describe(
      readable(() => host.field(value, name)),
      hidden,
    );
  const before = fields.get(shown);
  const types = before === undefined ? [] : before.type.split(" | ");
  if (types.includes(type)) return;
  const head = { name: shown, kind: "field", access: "public" } as const;
  fields.set(shown, {
    ...head,
    type: [...types, type].join(" | "),
    ...(redacted === undefined && before?.redacted !== true ? {} : { redacted: true as const }),
  });
};

const describe = (value: unknown, hidden: HiddenView): string => {
  if (typeof value !== "object") return typeof value;
  return value === null ? "null" : hidden.className(value);
};

const withoutValue = ({ name, kind, access, type, redacted }: MemberInfo): MemberInfo => ({
  name: maskText(name),
  kind,
  type,
  access,
  ...(redacted === undefined ? {} : { redacted }),
});
