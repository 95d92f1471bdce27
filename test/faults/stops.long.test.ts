import { expect, test } from "vitest";
import { openProject, startTarget } from "./project.ts";
import { stopUnderLoad } from "./stops.ts";

test("processes that get SIGTERM under 40 lanes reset no request", async () => {
  const project = await openProject();
  const start = async () => {
    const { port, terminate } = await startTarget(project);
    return { port, stop: terminate };
  };
  const { answered, reset } = await stopUnderLoad({ stops: 5, lanes: 40, path: "/api/target/sum?a=1&b=2", start });
  expect({ reset }).toEqual({ reset: 0 });
  expect(answered).toBeGreaterThan(500);
  await project.remove();
});
