/** What can be written next in an expression, asked of the live objects: roots, and the members and methods of what stands before the dot. */
import { api, type Exploration, readEntries } from "./api.ts";
import { firstName } from "./completion.ts";

export interface Suggestion {
  readonly label: string;
  /** Its type or signature. */
  readonly detail: string;
  readonly kind: "property" | "method" | "variable" | "keyword";
}

const keywords = ["new", "it", "true", "false", "null", "and", "or", "not", "in", "asc", "desc"];

/** Answers are kept for a while: objects change, their types hardly do. */
const keepMs = 20_000;
const kept = new Map<string, { readonly at: number; readonly answer: Promise<Exploration | undefined> }>();

const explore = (target: string): Promise<Exploration | undefined> => {
  const known = kept.get(target);
  if (known !== undefined && Date.now() - known.at < keepMs) return known.answer;
  // What cannot be explored has nothing to suggest; running the expression says why.
  const answer = api.query("explore", { target, depth: 1, limit: 1_000 }).catch(() => undefined);
  if (kept.size > 200) kept.clear();
  kept.set(target, { at: Date.now(), answer });
  return answer;
};

/** An expression for an element of a collection, whose members its lambdas see; empty where it has none. */
export const findElement = async (from: string): Promise<string> => {
  if (from.trim() === "") return "";
  const answer = await explore(from.trim());
  const first = answer === undefined ? undefined : readEntries({ items: answer.items ?? [] }).at(0);
  return first?.expr ?? "";
};

const members = (answer: Exploration | undefined): readonly Suggestion[] =>
  answer === undefined
    ? []
    : [
        ...readEntries({ members: answer.members ?? [] })
          .filter(({ kind }) => kind !== "root")
          .map(({ name, type }) => ({ label: name, detail: type, kind: "property" as const })),
        ...(answer.methods ?? [])
          .filter(({ callable }) => callable !== false)
          .map(({ name, signature }) => ({ label: name, detail: signature, kind: "method" as const })),
      ];

/** `element`: an expression whose members need no dot, as in a filter. */
export const suggest = async (base: string, element: string): Promise<readonly Suggestion[]> => {
  const roots = readEntries((await explore("")) ?? {}).map(({ name, type }) => ({
    label: name,
    detail: type,
    kind: "variable" as const,
  }));
  if (base === "") {
    const own = element === "" ? [] : members(await explore(element));
    return [...own, ...roots, ...keywords.map((label) => ({ label, detail: "", kind: "keyword" as const }))];
  }
  const first = firstName(base);
  if (element === "" || roots.some(({ label }) => label === first)) return members(await explore(base));
  return members(await explore(first === "it" ? `${element}${base.slice(2)}` : `${element}.${base}`));
};
