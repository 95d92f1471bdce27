/** What a new reading of the declarations would change. Pure; applying it is `declarations.ts`. */
import { formatEndpoint, isSameTarget, type Target } from "../machine/target.ts";

/** An upstream as it is written down. */
export interface DeclaredUpstream {
  readonly target: Target;
  /** False for one that waits until it is added by its name. */
  readonly starts: boolean;
}

export type UpstreamDeclarations = ReadonlyMap<string, DeclaredUpstream>;

export interface PlannedChange {
  readonly name: string;
  readonly change: "added" | "changed" | "removed";
  /** What it leads to now, and would; null where there is nothing. Variables are not filled in. */
  readonly from: string | null;
  readonly to: string | null;
  /** Its settings that differ. */
  readonly fields: readonly string[];
}

/** By name. */
export const planChanges = (before: UpstreamDeclarations, after: UpstreamDeclarations): readonly PlannedChange[] =>
  [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    const fields = was === undefined || is === undefined ? [] : differentFields(was, is);
    if (was !== undefined && is !== undefined && fields.length === 0) return [];
    const change = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [{ name, change, from: endpoint(was), to: endpoint(is), fields } satisfies PlannedChange];
  });

/** The same where it leads, and in everything else but whether it waits for approval: that is not written down. */
export const isSameDeclaration = (a: Target, b: Target): boolean =>
  isSameTarget({ ...a, awaitsApproval: false }, { ...b, awaitsApproval: false });

const endpoint = (upstream: DeclaredUpstream | undefined): string | null =>
  upstream === undefined ? null : formatEndpoint(upstream.target);

const differentFields = (was: DeclaredUpstream, is: DeclaredUpstream): readonly string[] => {
  if (isSameDeclaration(was.target, is.target)) return was.starts === is.starts ? [] : ["start"];
  const [a, b] = [new Map(Object.entries(was.target)), new Map(Object.entries(is.target))];
  const names = [...new Set([...a.keys(), ...b.keys()])].filter((field) => field !== "awaitsApproval");
  const differ = (field: string): boolean => JSON.stringify(a.get(field)) !== JSON.stringify(b.get(field));
  return [...names.filter(differ), ...(was.starts === is.starts ? [] : ["start"])].toSorted();
};
