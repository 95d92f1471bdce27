/**
 * What the service asks of Path of Building, whichever way it is driven. `shim-engine.ts` and `fork-engine.ts` answer it.
 *
 * Answers of a child are data from outside: each is parsed before it is believed.
 */
import type { CallerInput, CallerOutput } from "@fairlead/contracts";
import type { pob } from "@fairlead/contracts/pob";
import type { Message, RequestOptions } from "@fairlead/kernel/subprocess";
import * as z from "zod";

type Procedures = (typeof pob)["procedures"];

export type Tree = CallerOutput<Procedures["luaSetTree"]>["tree"];
export type TreeInput = Omit<CallerInput<Procedures["luaSetTree"]>, "session">;
export type Changes = Omit<CallerInput<Procedures["luaApply"]>, "session">;
export type Parts = Omit<CallerOutput<Procedures["luaGetParts"]>, "meta">;

const statValue = z.union([z.number(), z.string()]);
const dropped = z.array(
  z.object({ node: z.int(), why: z.enum(["unknown", "not_connected", "mastery_without_effect"]) }),
);

export const treeShape = z.object({
  treeVersion: z.string(),
  classId: z.int(),
  ascendClassId: z.int(),
  secondaryAscendClassId: z.int(),
  nodes: z.array(z.int()),
  masteryEffects: z.record(z.string(), z.int()),
});

export const loadShape = z.object({
  level: z.int(),
  className: z.string(),
  ascendancy: z.string().nullish(),
  treeVersion: z.string(),
  nodes: z.int(),
  warnings: z.array(z.string()),
});

/** How Path of Building itself shows a stat; what it does not say is left out. */
const displayShape = z.object({
  label: z.string(),
  unit: z.enum(["percent", "seconds"]).optional(),
  better: z.literal("lower").optional(),
});

export type Display = z.infer<typeof displayShape>;

export const statsShape = z.object({
  stats: z.record(z.string(), statValue),
  unknown: z.array(z.string()),
  display: z.record(z.string(), displayShape).default({}),
});
export const setTreeShape = z.object({ tree: treeShape, dropped, added: z.array(z.int()) });
export const applyShape = z.object({ dropped, added: z.array(z.int()) });

export const whatIfShape = z.object({
  changes: z.record(z.string(), z.object({ old: statValue.nullable(), new: statValue.nullable() })),
  dropped,
});

export const rankShape = z.object({
  base: z.number(),
  candidates: z.int(),
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

export const shapeShape = z.object({
  nodes: z.array(z.object({ id: z.int(), x: z.number(), y: z.number(), name: z.string(), type: z.string() })),
  links: z.array(z.tuple([z.int(), z.int()])),
});

/** Where the nodes of a tree are. */
export type Shape = z.infer<typeof shapeShape>;

export interface LoadInput {
  readonly xml: string;
  readonly name: string;
  /** Nodes the XML asks for, to see which are missing afterwards. */
  readonly nodes: readonly number[];
}

export interface RankInput {
  readonly stat: string;
  readonly maxPoints: number;
  readonly limit: number;
  readonly workers: number;
}

export interface Engine {
  load(input: LoadInput, options?: RequestOptions): Promise<z.infer<typeof loadShape>>;
  stats(fields: readonly string[] | undefined, options?: RequestOptions): Promise<z.infer<typeof statsShape>>;
  tree(options?: RequestOptions): Promise<Tree>;
  setTree(tree: TreeInput, options?: RequestOptions): Promise<z.infer<typeof setTreeShape>>;
  whatIf(changes: Changes, options?: RequestOptions): Promise<z.infer<typeof whatIfShape>>;
  apply(changes: Changes, options?: RequestOptions): Promise<z.infer<typeof applyShape>>;
  parts(options?: RequestOptions): Promise<Parts>;
  exportXml(options?: RequestOptions): Promise<string>;
  shape(nodes: readonly number[], options?: RequestOptions): Promise<Shape>;
  rank(input: RankInput, options?: RequestOptions): Promise<z.infer<typeof rankShape>>;
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

/** A code as it came over the wire. */
export const engineCode = (code: unknown): EngineCode => (typeof code === "string" && isCode(code) ? code : "defect");

const isCode = (code: string): code is EngineCode => engineCodes.includes(code);

/** Parses what a child answered; an answer of another shape is a defect of the child. */
export const believed = <S extends z.ZodType>(shape: S, answer: unknown): z.infer<S> => {
  const parsed = shape.safeParse(answer);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new EngineError(
    "defect",
    `its answer has an unexpected shape at ${issue?.path.join(".") ?? "its root"}: ${issue?.message ?? ""}`,
  );
};

export type { Message };
