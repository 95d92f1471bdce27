import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as Effect from "effect/Effect";
import { afterAll, expect, it } from "vitest";
import type { Manifest } from "./manifest.ts";
import { loadManifest } from "./manifest-file.ts";
import { loadServices } from "./registry.ts";

const folder = mkdtempSync(join(tmpdir(), "fairlead-registry-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A manifest of one service, whose module is this text. */
const manifestOf = (text: string, file = "one.mjs"): Manifest => {
  const service = new URL("../service.ts", import.meta.url).href;
  const contracts = new URL("../../../contracts/src/kernel.contract.ts", import.meta.url).href;
  const head = `import { defineService } from ${JSON.stringify(service)}; import { kernel } from ${JSON.stringify(contracts)};`;
  writeFileSync(join(folder, file), `${head}\n${text}`);
  return {
    version: 1,
    url: pathToFileURL(join(folder, "manifest.ts")).href,
    services: [{ id: "one", module: `./${file}` }],
    tools: async () => [],
    openapi: async () => "",
    schema: async () => undefined,
    router: () => Promise.reject(new Error("no router")),
  };
};

it("takes a manifest that cannot be loaded for a mistake in the configuration, and says what is there", async () => {
  writeFileSync(join(folder, "none.mjs"), "export default 1;\n");
  writeFileSync(join(folder, "old.mjs"), 'import "./gone.mjs";\n');
  const from = pathToFileURL(`${folder}/`).href;
  const refusal = (path: string) => loadManifest(path, from).catch((error: unknown) => error);
  const hint = expect.stringMatching(/`fairlead gen`.*`manifest`.*FAIRLEAD_MANIFEST/);
  for (const [path, words] of [
    ["./gen/manifest.ts", `the manifest ${join(folder, "gen", "manifest.ts")} does not exist`],
    ["./none.mjs", `${join(folder, "none.mjs")} is not a manifest`],
    ["./old.mjs", expect.stringContaining("gone.mjs")],
    ["@nobody/manifest", expect.stringContaining("@nobody/manifest")],
  ] as const)
    expect(await refusal(path)).toMatchObject({ code: "invalid_argument", message: words, hint });
});

it("takes a module's `.js` where a build left no `.ts`, for a manifest and for what it names", async () => {
  const built = join(folder, "built");
  mkdirSync(built);
  writeFileSync(join(built, "one.js"), 'throw new Error("it is this file");');
  const services = JSON.stringify([{ id: "one", module: "./one.ts" }]);
  writeFileSync(
    join(built, "manifest.js"),
    `export default { version: 1, url: import.meta.url, services: ${services} };`,
  );
  const loaded = await loadManifest("./manifest.ts", pathToFileURL(`${built}/`).href);
  const [service] = await Effect.runPromise(loadServices(loaded, { only: undefined }));
  expect(() => service?.start(undefined as never)).toThrow(/it is this file/);
});

it("takes a package from where the manifest is, where a package manager shows it to no other", async () => {
  const installed = join(folder, "isolated/node_modules/isolated-service");
  mkdirSync(installed, { recursive: true });
  const manifest = { name: "isolated-service", exports: { "./service": { default: "./service.mjs" } } };
  writeFileSync(join(installed, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(installed, "service.mjs"), 'throw new Error("it is this package");');
  const url = pathToFileURL(join(folder, "isolated/gen/manifest.ts")).href;
  const services = [{ id: "one", module: "isolated-service/service" }];
  const loading = loadServices({ ...manifestOf(""), url, services }, { only: undefined });
  const [service] = await Effect.runPromise(loading);
  expect(() => service?.start(undefined as never)).toThrow(/it is this package/);
});

const load = async (text: string, file: string, timeoutMs: number) => {
  const loading = loadServices(manifestOf(text, file), { only: undefined, timeoutMs });
  const [service] = await Effect.runPromise(loading);
  return service;
};

it.each([
  ["throws", 'throw new Error("no licence");', "no licence", 60_000],
  ["hangs", "await new Promise(() => {});", "did not end within 20 ms", 20],
  ["is no service", "export default 5;", "does not export a service", 60_000],
])(
  "a module that %s makes a service that cannot start, with the reason, and the kernel runs",
  async (name, text, why, timeoutMs) => {
    const service = await load(text, `${name.replaceAll(" ", "-")}.mjs`, timeoutMs);
    expect(service?.contract).toMatchObject({ id: "one", procedures: {} });
    expect(() => service?.start(undefined as never)).toThrow(
      expect.objectContaining({ code: "failed_precondition", message: expect.stringContaining(why) }),
    );
  },
);

it("says of an import that hangs to look at the module, and not at the code that waited for it", async () => {
  const service = await load("await new Promise(() => {});", "hangs-too.mjs", 20);
  expect(() => service?.start(undefined as never)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("hangs-too.mjs awaits at its top"), stack: undefined }),
  );
});
