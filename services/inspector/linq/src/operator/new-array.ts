import type { Operation } from "../core/operation.ts";
import { named } from "../core/portable.ts";
import { Sequence } from "../value/sequence.ts";

/** `new[] { … }` of elements that have one type. */
export const newArray: Operation = named("newArray", { name: "new[]", run: (...items) => new Sequence(items) });
