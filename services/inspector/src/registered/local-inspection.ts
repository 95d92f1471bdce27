/**
 * An inspection of objects in this process: roots by name, declared types, limits. What `inspect` offers to a program, and what is
 * sent to a process that does not know this package.
 */
import { dynamic, LinqError, type Type } from "@fairlead/linq";
import { defaultLimits, type Limits } from "@fairlead/linq/limits";
import { Inspection } from "../answer/inspection.ts";
import { SliceClock } from "../answer/slice-clock.ts";
import { EngineSession } from "../explore/engine-session.ts";
import { V8View } from "../explore/v8-view.ts";
import { hostAccess } from "../host/access.ts";
import type { AnyDeclaration } from "../host/declaration.ts";
import { guardHostCode } from "../host/host-code.ts";
import { NameReader } from "../host/names.ts";
import { createRedaction, type RedactionOptions } from "../host/redaction.ts";
import { Registry } from "../host/registry.ts";
import { rootType } from "../host/root-type.ts";
import { runWithTimeLimit } from "../host/time-limit.ts";

/** What the inspector is to know of the objects; all of it is optional. */
export interface InspectOptions {
  /** Declared types. A root whose class is declared, or whose elements are of one declared class, is seen as such. */
  readonly types?: readonly AnyDeclaration[];
  /** Declared type of a root, as text, like `List<Entity>` or `Dictionary<String, Life>`; taken from its value when left out. */
  readonly rootTypes?: Readonly<Record<string, string>>;
  readonly limits?: Partial<Limits>;
  /** What is kept from every question: by default passwords, tokens, secrets and their like, and the environment. */
  readonly redact?: RedactionOptions;
  /** `denied`: no private member is shown or read; `shown` by default. */
  readonly privateMembers?: "shown" | "denied";
  readonly now?: () => number;
}

/** Settings of one question. */
interface QuestionSettings {
  /** They may be lower than the program's. */
  readonly limits?: Limits;
  readonly clock?: SliceClock;
  readonly names?: NameReader;
}

interface LocalInspection {
  /** For one question. */
  readonly inspection: (question?: QuestionSettings) => Inspection;
  readonly limits: Limits;
  /** Releases what was used of the engine. */
  close(): void;
}

/** The value of a root now; a root that fails says so when it is read. */
const typeNow = (read: () => unknown, registry: Registry): Type => {
  try {
    return rootType(read(), registry);
  } catch (error) {
    if (LinqError.is(error)) return dynamic;
    throw error;
  }
};

/** One name of the language, without the signs that mean something before a name. */
const isRootName = (name: string): boolean => /^[\p{L}_$][\p{L}\d_]*$/u.test(name);

/** A root that is a function is called again for every question. Throws for a root that no expression can name. */
export const createLocalInspection = (
  roots: Readonly<Record<string, unknown>>,
  options: InspectOptions = {},
): LocalInspection => {
  const redaction = createRedaction(options.redact);
  const deniesPrivate = options.privateMembers === "denied";
  const registry = new Registry(options.types ?? [], { redaction, deniesPrivate });
  const limits = { ...defaultLimits, ...options.limits };
  const found = Object.entries(roots).map(([name, value]) => {
    if (!isRootName(name)) throw new Error(`No expression can say the root '${name}': use letters, digits and _`);
    const text = options.rootTypes?.[name];
    const declared = text === undefined ? undefined : registry.type(text);
    const read = typeof value === "function" ? guardHostCode(name, () => value() as unknown) : () => value;
    return {
      name,
      read,
      get type(): Type {
        return declared ?? typeNow(read, registry);
      },
    };
  });
  const now = options.now ?? (() => Date.now());
  const engine = new EngineSession();
  const inspection = ({
    limits: allowed = limits,
    clock = new SliceClock(),
    names = new NameReader(),
  }: QuestionSettings = {}): Inspection =>
    new Inspection({
      host: hostAccess({ registry, roots: found, now, limits: allowed, redaction, names }),
      registry,
      deniesPrivate,
      limits: allowed,
      elapsed: () => clock.elapsed(),
      budget: clock,
      hidden: new V8View({ hides: redaction.hides, names, engine }),
      within: runWithTimeLimit,
    });
  return { inspection, limits, close: () => engine.close() };
};
