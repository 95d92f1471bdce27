/** `fairlead dev` over many saves, with types that are checked beside it. */
import { expect, test } from "vitest";
import { devProject, startDev } from "./dev-project.ts";

const saves = 200;
const most = 80;

test(`${saves} saves all run, and the process is replaced after ${most} generations`, async () => {
  const project = await devProject();
  const dev = await startDev(project, "--generations", String(most));
  const say = async (): Promise<string> => (await fetch(`${dev.url()}/api/left/say`)).text().catch(() => "");
  try {
    const { pid } = dev.process.child;
    for (let at = 1; at <= saves; at += 1) {
      project.write("services/left/three.ts", `export const text = "save ${at}";\n`);
      await expect.poll(() => say().catch(() => ""), { interval: 5 }).toContain(`"save ${at}"`);
    }
    const replaced = dev.events.filter(({ event }) => event === "replacing_process");
    expect(replaced.length).toBeGreaterThanOrEqual(Math.floor(saves / most));
    expect(dev.events.filter(({ http }) => http !== undefined).every((each) => each.pid === pid)).toBe(true);
    expect(new Set(dev.events.flatMap(({ http }) => http ?? [])).size).toBe(1);
  } finally {
    dev.process.child.kill("SIGKILL");
    await dev.process.ended;
    project.remove();
  }
});

test("types are checked in the background, and said once they are right again", async () => {
  const project = await devProject();
  const options = {
    module: "nodenext",
    target: "esnext",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    customConditions: ["@fairlead/source"],
    types: ["node"],
  };
  project.write("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["services/left"] }));
  const dev = await startDev(project);
  try {
    project.write("services/left/three.ts", "export const text: string = 7;\n");
    const wrong = await dev.event(({ event, ok }) => event === "types" && ok === false);
    expect(wrong.output).toContain("services/left/three.ts(1,14)");
    project.write("services/left/three.ts", 'export const text: string = "seven";\n');
    await dev.event(({ event, ok }) => event === "types" && ok === true);
  } finally {
    dev.process.child.kill("SIGTERM");
    expect(await dev.process.ended).toMatchObject({ code: 143 });
    project.remove();
  }
});
