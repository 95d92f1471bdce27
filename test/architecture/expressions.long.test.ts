/** Every regular expression by recheck, which tries hostile texts: slower than the other judges of `expressions.test.ts`. */
import { expect, it } from "vitest";
import { danger } from "./judges.ts";
import { shippedExpressions } from "./shipped-expressions.ts";

it("regular expressions are linear for recheck", async () => {
  const { literals, patterns } = shippedExpressions();
  const dangers: string[] = [];
  for (const expression of [...literals, ...patterns]) {
    const found = await danger(expression);
    if (found !== undefined) dangers.push(`${expression.path}: /${expression.source}/${expression.flags} is ${found}`);
  }
  expect(dangers).toEqual([]);
});
