/**
 * One pass over a query's rows. Where rows may be read directly and there are enough of them, the pass is a generated loop;
 * otherwise, and for rows that turn out not to be direct, it is closures. Both give rows to the same sinks.
 *
 * Fuel and the clock are looked at once a chunk.
 */
import type { Bound } from "../bound.ts";
import { type Code, compile } from "../compile.ts";
import { LinqError } from "../error.ts";
import type { Frame } from "../frame.ts";
import { frameName, rowName, SourceWriter } from "../generate.ts";
import type { DirectRows } from "../host.ts";
import { keyOf } from "../operator/compare.ts";
import { inPart, type Plan, type QueryPart } from "./plan.ts";

const chunk = 1_024;
/** Below this many rows making source costs more than it saves. */
const worthGenerating = 2_000;

/** Takes the rows that passed `where`. */
export interface Sink {
  /** False ends the pass. */
  row(row: unknown, index: number): boolean;
  /** The same in source, for a generated pass; the sink's state is linked. Without it `row` is called. */
  emit?(write: SourceWriter): Emitted;
}

/** Source before the loop, for each row that passed, and after the loop. */
export interface Emitted {
  readonly before?: string;
  readonly each: string;
  readonly after?: string;
}

export type Path = "generated" | "closures";

type Loop = (rows: readonly unknown[], from: number, to: number, frame: Frame) => boolean;

/** Runs the pass; says which way it ran. */
export const scan = (plan: Plan, sink: Sink): Path => {
  const { rows, frame } = plan;
  const test = plan.where === undefined ? undefined : compile(plan.where.bound, plan.settings.host);
  const careful = carefulLoop(plan, test, sink);
  const direct = rows.length < worthGenerating ? undefined : plan.settings.host.direct?.(rows, plan.rowType);
  const fast = direct === undefined ? undefined : generated(plan, sink, direct);
  let ran: Path = "closures";
  for (let from = 0; from < rows.length; from += chunk) {
    const to = Math.min(from + chunk, rows.length);
    frame.rows(to - from);
    const loop = fast?.admits(from, to) === true ? locating(fast.loop, careful) : careful;
    if (loop !== careful) ran = "generated";
    if (!loop(rows, from, to, frame)) break;
  }
  return ran;
};

/** An error of the generated loop has no place; the closures find it again and give it one. */
const locating =
  (fast: Loop, careful: Loop): Loop =>
  (rows, from, to, frame) => {
    try {
      return fast(rows, from, to, frame);
    } catch (error) {
      if (!(error instanceof LinqError) || error.position >= 0) throw error;
      careful(rows, from, to, frame);
      throw error;
    }
  };

const carefulLoop = (plan: Plan, test: Code | undefined, sink: Sink): Loop => {
  const filter = test === undefined ? undefined : inPartOf("where", plan.where?.text, test);
  return (rows, from, to, frame) => {
    for (let index = from; index < to; index++) {
      const row = rows[index] ?? null;
      frame.slots[0] = row;
      frame.row();
      if (filter !== undefined && filter(frame) !== true) continue;
      if (!sink.row(row, index)) return false;
    }
    return true;
  };
};

/** A part's code whose errors name the part and its text. */
export const inPartOf = (part: QueryPart, text: string | undefined, code: Code): Code => {
  return (frame) => {
    try {
      return code(frame);
    } catch (error) {
      return inPart(part, () => {
        throw error instanceof LinqError && text !== undefined ? error.within(text) : error;
      });
    }
  };
};

const generated = (
  plan: Plan,
  sink: Sink,
  direct: DirectRows,
): { readonly loop: Loop; readonly admits: (from: number, to: number) => boolean } => {
  const writer = new SourceWriter(plan.settings.host, direct.keys);
  const test = plan.where === undefined ? "" : `if (!${writer.write(plan.where.bound)}) continue;`;
  const own = sink.emit?.(writer) ?? calling(writer, sink);
  const body = `${own.before ?? ""}
for (let i = from; i < to; i++) {
  const ${rowName} = rows[i];
  ${test}
  ${own.each}
}
${own.after ?? ""}
return true;`;
  return { loop: writer.finish<Loop>(["rows", "from", "to", frameName], body), admits: direct.admits(writer.reads) };
};

const calling = (writer: SourceWriter, sink: Sink): Emitted => {
  const call = (row: unknown, index: number, frame: Frame): boolean => {
    frame.slots[0] = row;
    frame.row();
    return sink.row(row, index);
  };
  return { each: `if (!${writer.link(call)}(${rowName}, i, ${frameName})) return false;` };
};

/** Source that makes a map key of a bound expression: `k` is the value, `id` the key. */
export const keySource = (writer: SourceWriter, key: Bound, host: Parameters<typeof keyOf>[1]): string => {
  const keyFor = (value: unknown): unknown => keyOf(value, host);
  return `const k = ${writer.write(key)};
  const id = typeof k === "string" || typeof k === "number" ? k : ${writer.link(keyFor)}(k);`;
};
