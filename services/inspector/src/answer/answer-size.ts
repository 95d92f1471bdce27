/** The size of a whole answer: what is around its values (names, types, expressions) counts as well as they do. */
import { LinqError } from "@fairlead/linq";

/** The answer itself; throws `result_too_large` where its JSON has more bytes than allowed. */
export const withinBytes = <T extends object>(answer: T, bytes: number): T => {
  const size = Buffer.byteLength(JSON.stringify(answer));
  if (size <= bytes) return answer;
  throw new LinqError("result_too_large", `The answer has ${size} bytes; ${bytes} are allowed`, {
    position: 0,
    hint: "explore with a smaller `depth` or `limit`, go on with `offset`, or start at an `expr` of its members",
  });
};
