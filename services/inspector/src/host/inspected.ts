/**
 * An inspection of objects in this process: roots by name, declared types, limits. What `inspect` offers to a program, and what is
 * sent to a process that does not know this package.
 */
import { V8View } from "../explore/v8-view.ts";
import { Inspection } from "../inspection.ts";
import { defaultLimits, type Limits } from "../linq/limits.ts";
import { hostAccess } from "./access.ts";
import type { AnyDeclaration } from "./declaration.ts";
import { guarded } from "./guarded.ts";
import { Registry } from "./registry.ts";

export interface InspectOptions {
  /** Declared types. Roots whose class is declared are seen as such. */
  readonly types?: readonly AnyDeclaration[];
  /** Declared type of a root, as text, like `List<Entity>`; what the value is when left out. */
  readonly rootTypes?: Readonly<Record<string, string>>;
  readonly limits?: Partial<Limits>;
  readonly now?: () => number;
}

export interface LocalInspection {
  /** For one question, whose wall time may be shorter than the limit. */
  readonly inspection: (wallMs?: number) => Inspection;
  readonly limits: Limits;
  /** Gives back what was held of the engine. */
  close(): void;
}

/** One name of the language, without the signs that mean something before a name. */
const isRootName = (name: string): boolean => /^[\p{L}_$][\p{L}\d_]*$/u.test(name);

/** A value given as a function is asked for anew with every question. Throws for a root that no expression can name. */
export const inspected = (roots: Readonly<Record<string, unknown>>, options: InspectOptions = {}): LocalInspection => {
  const registry = new Registry(options.types ?? []);
  const limits = { ...defaultLimits, ...options.limits };
  const found = Object.entries(roots).map(([name, value]) => {
    if (!isRootName(name)) throw new Error(`No expression can say the root '${name}': use letters, digits and _`);
    const text = options.rootTypes?.[name];
    const of = typeof value === "object" && value !== null ? registry.of(value)?.declaration.name : undefined;
    return {
      name,
      type: registry.type(text ?? of ?? "object"),
      read: typeof value === "function" ? guarded(name, () => value() as unknown) : () => value,
    };
  });
  const host = hostAccess({ registry, roots: found, now: options.now ?? (() => Date.now()), limits });
  const view = new V8View();
  const inspection = (wallMs = limits.wallMs): Inspection =>
    new Inspection({
      host,
      registry,
      limits: { ...limits, wallMs: Math.min(wallMs, limits.wallMs) },
      elapsed: () => performance.now(),
      hidden: view,
    });
  return { inspection, limits, close: () => view.close() };
};
