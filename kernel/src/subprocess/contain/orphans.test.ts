import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { marked, until } from "../../testing/stage.fixture.ts";
import { probeContainment } from "../spawn/probe.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const parent = fileURLToPath(new URL("../../testing/parent.fixture.ts", import.meta.url));

const containment = await probeContainment();
const can = {
  namespace: containment.kind === "namespace",
  cgroup: containment.commands === "cgroup",
  group: true,
} as const;

test.runIf(process.platform === "linux").each(
  (
    [
      ["group", "SIGKILL", 60],
      ["group", "SIGTERM", 60],
      ["cgroup", "SIGKILL", 100],
      ["cgroup", "SIGTERM", 100],
      ["namespace", "SIGKILL", 100],
    ] as const
  ).filter((_, at) => inLongTier || at % 2 === 0),
)("by %s: none of 20 children behind shells survives a %s of the kernel", async (kind, signal, atLeast) => {
  if (!can[kind]) {
    process.stderr.write(`skipped: no ${kind} can be had here\n`);
    return;
  }
  const mark = `mark-${randomUUID()}`;
  const kernel = spawn(process.execPath, ["--conditions=@fairlead/source", parent, kind, mark], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(kernel.stdout, "data");
  await until(() => marked(mark) >= atLeast);
  kernel.kill(signal);
  await until(() => marked(mark) === 0);
});
