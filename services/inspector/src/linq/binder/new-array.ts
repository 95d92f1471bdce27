import type { Operation } from "../operation.ts";
import { named } from "../portable.ts";
import { Sequence } from "../value/sequence.ts";

/** `new[] { … }` of elements that have one type. */
export const newArray: Operation = named("newArray", { name: "new[]", run: (...items) => new Sequence(items) });
