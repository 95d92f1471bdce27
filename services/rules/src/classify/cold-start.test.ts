/** The SDK is loaded by the first call that needs it; starting the service, with a key or without, does not pay for it. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = `
  import { registerHooks } from "node:module";
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier.includes("anthropic")) console.log(specifier);
      return next(specifier, context);
    },
  });
  const { default: service } = await import("./service.ts");
  const running = service.start({ config: service.config.parse({}), env: { ANTHROPIC_API_KEY: "key" }, log: () => undefined });
  await running.handlers();
  console.log("started");
`;

test("the service starts without loading the SDK", async () => {
  const run = promisify(execFile);
  const flags = ["--conditions=@fairlead/source", "--input-type=module", "--eval", script];
  const { stdout } = await run(process.execPath, flags, { cwd: fileURLToPath(new URL("..", import.meta.url)) });
  expect(stdout.trim()).toBe("started");
});
