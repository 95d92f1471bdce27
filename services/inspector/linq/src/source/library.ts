/** What source that is linked by recipe may name: to be bundled, and sent along to where this package is not. */
import { declared } from "../core/portable.ts";
import { inPartOf } from "../core/query-error.ts";
import { parseScalar } from "../operator/convert.ts";
import { definitionOf } from "../type/definition.ts";
import { Decimal } from "../value/decimal.ts";
import { Sequence } from "../value/sequence.ts";
import { spelling } from "./link.ts";

/** By name. The declarations are those of modules that were loaded: import the package itself as well. */
export const languageLibrary = (): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(declared()),
  Decimal,
  definitionOf,
  inPartOf,
  parseScalar,
  Sequence,
  spelling,
});
