import { expect, it } from "vitest";
import { tokenStorm } from "../../testing/token-storm.ts";

const rounds = 100;

it("keeps what was acknowledged through a hundred storms of a hundred changes", { timeout: 7_200_000 }, async () => {
  let acknowledged = 0;
  for (let seed = 1; seed <= rounds; seed += 1) {
    const result = await tokenStorm({ processes: 20, changes: 5, killed: 0.3, seed });
    expect(result, `seed ${seed}`).toMatchObject({ lost: [], unrecorded: 0 });
    acknowledged += result.acknowledged;
  }
  console.log(`${rounds} storms (seeds 1 to ${rounds}): ${acknowledged} changes acknowledged, 0 lost`);
});
