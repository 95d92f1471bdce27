import { describe, expect, it } from "vitest";
import { parseCommand } from "../qa/allow-list.ts";
import { detectStack } from "./stack.ts";

const script = (test: string): string => JSON.stringify({ scripts: { test } });

describe("the test runner of a project", () => {
  it.each([
    ["node --test", ["package.json"], script("node --test src/")],
    ["npm test", ["package.json"], script("tap")],
    ["vitest", ["package.json"], '{"devDependencies":{"vitest":"1"},"scripts":{"test":"vitest run"}}'],
    ["pytest", ["src/a.py", "tests/test_a.py"], undefined],
    ["pytest", ["conftest.py"], undefined],
    ["cargo test", ["Cargo.toml"], undefined],
    ["go test", ["go.mod", "a.go"], undefined],
    ["make", ["Makefile"], undefined],
    ["./scripts/test.sh", ["scripts/test.sh"], undefined],
  ] as const)("%s", (runner, files, packageText) => {
    expect(detectStack(files, packageText).test_runner).toBe(runner);
    expect(parseCommand(runner === "vitest" ? "npx vitest" : runner)).toMatchObject({ ok: true });
  });

  it.each([[script('echo "Error: no test specified" && exit 1')], ["{"], ['{"scripts":"x"}'], [undefined]])(
    "is not known with %s",
    (packageText) => {
      expect(detectStack(["README.md"], packageText).test_runner).toBeNull();
    },
  );
});
