import { expect, test } from "vitest";
import { startInProcess, stopUnderLoad } from "./stops.ts";

test("kernels that stop under keep-alive lanes reset no request", async () => {
  const options = { stops: 3, lanes: 20, path: "/api/probe/sum?a=1&b=2", start: startInProcess };
  const { answered, ...lost } = await stopUnderLoad(options);
  expect(lost).toEqual({ reset: 0, crossed: 0 });
  expect(answered).toBeGreaterThan(100);
});
