import { expect, test } from "vitest";
import { startInProcess, stopUnderLoad } from "./stops.ts";

test("a thousand stops under 40 lanes reset no request", { timeout: 3_600_000 }, async () => {
  const options = { stops: 1_000, lanes: 40, path: "/api/probe/sum?a=1&b=2", start: startInProcess, atOnce: 4 };
  const result = await stopUnderLoad(options);
  console.log(JSON.stringify(result));
  expect(result.reset).toBe(0);
});
