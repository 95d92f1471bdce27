/**
 * What the service needs of Path of Building, however it is driven; `shim/` and `fork/` implement it.
 *
 * Answers of a child are untrusted input: each is parsed before it is used.
 */
import type { CallerInput, CallerOutput } from "@fairlead/contracts";
import { buildNoticeSchema, namedNodeSchema, type pob, searchResultSchema } from "@fairlead/contracts/pob";
import type { RequestOptions } from "@fairlead/kernel/subprocess";
import * as z from "zod";

type PobProcedures = (typeof pob)["procedures"];

export type EngineTree = CallerOutput<PobProcedures["luaSetTree"]>["tree"];
export type TreeInput = Omit<CallerInput<PobProcedures["luaSetTree"]>, "session">;
export type BuildChanges = Omit<CallerInput<PobProcedures["luaApply"]>, "session">;
export type BuildParts = Omit<CallerOutput<PobProcedures["luaGetParts"]>, "meta">;

const statValue = z.union([z.number(), z.string()]);
const dropped = z.array(
  z.object({ node: z.int(), why: z.enum(["unknown", "not_connected", "mastery_without_effect"]) }),
);

const notices = z.array(buildNoticeSchema);

export const treeSchema = z.object({
  treeVersion: z.string(),
  classId: z.int(),
  ascendClassId: z.int(),
  secondaryAscendClassId: z.int(),
  nodes: z.array(z.int()),
  masteryEffects: z.record(z.string(), z.int()),
});

/** The classes of a tree, with their ascendancies. */
export const classesSchema = z.object({
  treeVersion: z.string(),
  classes: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      ascendancies: z.array(z.object({ id: z.int(), name: z.string() })),
    }),
  ),
});

export const namedSchema = z.object({ named: z.array(namedNodeSchema) });
export const searchSchema = z.object({ found: z.array(searchResultSchema), total: z.int() });

interface SearchInput {
  readonly text: string;
  readonly kinds: readonly string[] | undefined;
  readonly limit: number;
}

export const loadSchema = z.object({
  level: z.int(),
  className: z.string(),
  ascendancy: z.string().nullish(),
  treeVersion: z.string(),
  nodes: z.int(),
  warnings: z.array(z.string()),
  notices,
});

/** How Path of Building itself shows a stat; what it does not say is left out. */
const displaySchema = z.object({
  label: z.string(),
  unit: z.enum(["percent", "seconds"]).optional(),
  better: z.literal("lower").optional(),
});

export const statsSchema = z.object({
  stats: z.record(z.string(), statValue),
  unknown: z.array(z.string()),
  display: z.record(z.string(), displaySchema).default({}),
});
export const setTreeSchema = z.object({ tree: treeSchema, dropped, added: z.array(z.int()), notices });
export const applySchema = z.object({ dropped, added: z.array(z.int()), notices });
export const noticesSchema = z.object({ notices });

export const whatIfSchema = z.object({
  changes: z.record(z.string(), z.object({ old: statValue.nullable(), new: statValue.nullable() })),
  /** Requested stats that there are neither before nor afterwards. */
  unknown: z.array(z.string()),
  dropped,
  notices,
});

export const rankSchema = z.object({
  base: z.number(),
  candidates: z.int(),
  retried: z.int(),
  nodes: z.array(
    z.object({
      node: z.int(),
      name: z.string(),
      type: z.string(),
      points: z.int(),
      gain: z.number(),
      perPoint: z.number(),
      path: z.array(z.int()),
    }),
  ),
});

export const candidatesSchema = z.object({
  base: z.record(z.string(), statValue.nullable()),
  whole: z.boolean(),
  rows: z.array(
    z.object({
      candidate: z.int(),
      score: z.number().optional(),
      lacking: z.number().optional(),
      stats: z.record(z.string(), statValue.nullable()).default({}),
      dropped: dropped.default([]),
      notices: notices.default([]),
      problem: z.string().optional(),
    }),
  ),
});

const valuesSchema = z.record(z.string(), statValue.nullable());

export const planSchema = z.object({
  base: valuesSchema,
  nodes: z.array(z.object({ node: z.int(), name: z.string(), type: z.string(), lines: z.array(z.string()) })),
  score: z.number(),
  lacking: z.number(),
  stats: valuesSchema,
  tried: z.int(),
  exact: z.boolean(),
  complete: z.boolean(),
});

interface PlanInput {
  readonly points: number;
  readonly goal: EngineGoal;
  /** Milliseconds after which the best so far is the answer. */
  readonly limitMs: number;
}

export const layoutSchema = z.object({
  nodes: z.array(z.object({ id: z.int(), x: z.number(), y: z.number(), name: z.string(), type: z.string() })),
  links: z.array(z.tuple([z.int(), z.int()])),
});

/** All of them, with what they do. */
export const treeShapeSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      x: z.number(),
      y: z.number(),
      name: z.string(),
      type: z.string(),
      ascendancy: z.string().optional(),
      lines: z.array(z.string()),
    }),
  ),
  links: z.array(
    z.object({ from: z.int(), to: z.int(), center: z.object({ x: z.number(), y: z.number() }).optional() }),
  ),
});

/** Where the nodes of a tree are. */
export type TreeLayout = z.infer<typeof layoutSchema>;

export interface LoadInput {
  readonly xml: string;
  readonly name: string;
  /** Nodes in the XML, to see which are missing after loading. */
  readonly nodes: readonly number[];
}

interface RankInput {
  readonly stat: string;
  readonly maxPoints: number;
  readonly limit: number;
  readonly workers: number;
}

/** What a change is wanted for, as Lua takes it. */
interface EngineGoal {
  readonly weights: Readonly<Record<string, number>>;
  readonly atLeast: Readonly<Record<string, number>> | undefined;
  /** More stats to answer. */
  readonly show: readonly string[] | undefined;
}

interface CandidatesInput {
  readonly candidates: readonly BuildChanges[];
  readonly goal: EngineGoal;
  readonly workers: number;
  /** Milliseconds that one candidate may take. */
  readonly limitMs: number;
}

export interface Engine {
  load(input: LoadInput, options?: RequestOptions): Promise<z.infer<typeof loadSchema>>;
  stats(fields: readonly string[] | undefined, options?: RequestOptions): Promise<z.infer<typeof statsSchema>>;
  tree(options?: RequestOptions): Promise<EngineTree>;
  /** Allocated nodes with names of their own; nothing where a fork cannot say. */
  named(options?: RequestOptions): Promise<z.infer<typeof namedSchema>["named"] | undefined>;
  /** Of the newest tree, or of that version. */
  classes(treeVersion: string | undefined, options?: RequestOptions): Promise<z.infer<typeof classesSchema>>;
  search(input: SearchInput, options?: RequestOptions): Promise<z.infer<typeof searchSchema>>;
  setTree(tree: TreeInput, options?: RequestOptions): Promise<z.infer<typeof setTreeSchema>>;
  /** Of all stats, or only of `fields`. */
  whatIf(
    changes: BuildChanges,
    fields: readonly string[] | undefined,
    options?: RequestOptions,
  ): Promise<z.infer<typeof whatIfSchema>>;
  apply(changes: BuildChanges, options?: RequestOptions): Promise<z.infer<typeof applySchema>>;
  parts(options?: RequestOptions): Promise<BuildParts>;
  exportXml(options?: RequestOptions): Promise<string>;
  layout(nodes: readonly number[], options?: RequestOptions): Promise<TreeLayout>;
  /** The whole tree. */
  treeShape(options?: RequestOptions): Promise<z.infer<typeof treeShapeSchema>>;
  /** What each of many changes would do; the best first. */
  tryAll(input: CandidatesInput, options?: RequestOptions): Promise<z.infer<typeof candidatesSchema>>;
  /** The best passive nodes for so many points. */
  plan(input: PlanInput, options?: RequestOptions): Promise<z.infer<typeof planSchema>>;
  rank(input: RankInput, options?: RequestOptions): Promise<z.infer<typeof rankSchema>>;
}

export type EngineCode =
  | "bad_xml"
  | "not_loaded"
  | "unknown_tree"
  | "unknown_class"
  | "bad_change"
  | "unsupported"
  | "canceled"
  | "out_of_memory"
  | "defect";

const engineCodes: readonly string[] = [
  "bad_xml",
  "not_loaded",
  "unknown_tree",
  "unknown_class",
  "bad_change",
  "unsupported",
  "canceled",
  "out_of_memory",
] satisfies EngineCode[];

/** Path of Building, or what drives it, refused a request. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: EngineCode;
  /** The process can no longer be trusted and is ending. */
  readonly poisoned: boolean;

  constructor(code: EngineCode, message: string, poisoned = false) {
    super(message);
    this.code = code;
    this.poisoned = poisoned;
  }
}

/** A code as received over the wire. */
export const toEngineCode = (code: unknown): EngineCode =>
  typeof code === "string" && isEngineCode(code) ? code : "defect";

const isEngineCode = (code: string): code is EngineCode => engineCodes.includes(code);

/** Parses an answer of a child; throws a `defect` for one of another shape. */
export const parseAnswer = <S extends z.ZodType>(layout: S, answer: unknown): z.infer<S> => {
  const parsed = layout.safeParse(answer);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new EngineError(
    "defect",
    `its answer has an unexpected shape at ${issue?.path.join(".") ?? "its root"}: ${issue?.message ?? ""}`,
  );
};
