import { expect, it } from "vitest";
import { tokenStorm } from "../../testing/token-storm.ts";

it("keeps what was acknowledged through storms with kills", async () => {
  for (let seed = 1; seed <= 3; seed += 1) {
    const result = await tokenStorm({ processes: 20, changes: 5, killed: 0.3, seed });
    expect(result, `seed ${seed}`).toMatchObject({ lost: [], unrecorded: 0 });
  }
});
