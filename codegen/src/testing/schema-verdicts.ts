/** Holds what `differences` says of edits to what is known of them. For tests only. */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { differences } from "../diff/witness.ts";
import { schemaValues } from "../proof/values.ts";
import { type JsonSchema, rewrite } from "../schema/json-schema.ts";
import { schemaEdits, schemaPositions } from "./schema-edits.ts";

/** What is wrong with the verdicts on all edits at a position; empty when they are right. */
export const judgeEdits = (position: string, { values }: { readonly values: number }): readonly string[] => {
  const place = schemaPositions[position];
  if (place === undefined) throw new Error(`no position ${position}`);
  return schemaEdits.flatMap(({ name, before, after, relation }) => {
    const [a, b] = [place(before), place(after)];
    return [
      ...judge(`${name}, from before to after`, [a, b], { fits: relation === "more" || relation === "same", values }),
      ...judge(`${name}, from after to before`, [b, a], { fits: relation === "less" || relation === "same", values }),
    ];
  });
};

interface Expectation {
  readonly fits: boolean;
  readonly values: number;
}

const judge = (
  name: string,
  [wider, narrower]: readonly [JsonSchema, JsonSchema],
  { fits, values }: Expectation,
): readonly string[] => {
  const found = differences(wider, narrower);
  const words = found.map(
    ({ path, keyword, witness }) => `${path} ${keyword} ${witness === undefined ? "?" : JSON.stringify(witness.value)}`,
  );
  if (!fits)
    return found.some(({ witness }) => witness !== undefined)
      ? []
      : [`${name}: shown by no value: ${words.join("; ")}`];
  if (found.length > 0) return [`${name}: ${words.join("; ")}`];
  const [takes, refuses] = [ajv.compile(closed(wider)), ajv.compile(narrower)];
  const refuting = fc
    .sample(schemaValues(wider), { numRuns: values, seed: 1 })
    .find((value) => takes(value) && !refuses(value));
  return refuting === undefined ? [] : [`${name}: refuted by ${JSON.stringify(refuting)}`];
};

/** Without fields that an object does not name, which callers do not send; the parts of an intersection name each other's. */
const closed = ({ allOf, ...schema }: JsonSchema): JsonSchema => ({
  ...rewrite(schema, (node) =>
    node.properties === undefined || node.additionalProperties !== undefined
      ? node
      : { ...node, additionalProperties: false },
  ),
  ...(allOf !== undefined && { allOf }),
});

const ajv = new Ajv2020({ strict: false, formats: { uri: (text: string) => URL.canParse(text), date: true } });
