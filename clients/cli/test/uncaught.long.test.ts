/** An error that nobody caught, as the process of a kernel meets it. */
import { expect, test } from "vitest";
import { run, start } from "./command-process.ts";
import { outsideProject } from "./outside-project.ts";

test("an error that nothing caught and that belongs to no service ends the kernel in order, with its stack", async () => {
  const faulty = outsideProject();
  try {
    faulty.write(
      "fairlead.config.ts",
      `process.on("SIGUSR2", () => {
  setImmediate(() => {
    throw new TypeError("nobody caught this");
  });
});
export default { manifest: "./gen/manifest.ts", stateDir: "./state" };
`,
    );
    await run(["gen"], { cwd: faulty.folder });
    const up = start(["up", "--port", "0"], { cwd: faulty.folder });
    await up.until(/(.*\n){4}/);
    up.child.kill("SIGUSR2");
    const { code, err } = await up.ended;
    expect(code).toBe(1);
    expect(err).toContain("stopping");
    expect(err).toMatch(
      /error: nobody caught this\nhint: this is a defect at \S*fairlead\.config\.ts:3; .*\n.*\n {4}at /,
    );
  } finally {
    faulty.remove();
  }
});
