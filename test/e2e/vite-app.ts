/**
 * An app of Vite and React that calls a project: type-checked by two versions of TypeScript and two ways of resolving, bundled, and used in Chromium. The app is in
 * `test/foreign/vite-app`; `@fairlead/client` comes from the registry.
 */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ForeignProgram, installForeign } from "../foreign/install.ts";
import { type Command, type Started, start, stop } from "./command.ts";
import { npm } from "./packed.ts";
import type { Registry } from "./registry.ts";

/** `.ci/run` installs it. */
const chromium = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "chromium"))
  .find((path) => existsSync(path));

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** `project` gives the command of a project with the service of `fairlead init`, generated. */
export const describeViteApp = (registry: () => Registry, project: () => Command): void => {
  describe("an app of Vite and React", () => {
    let app: ForeignProgram;
    let up: Started;
    let page: string;

    /** The bundled app. */
    const server = createServer(({ url = "/" }, response) => {
      const file = url === "/" ? "index.html" : url.slice(1);
      readFile(join(app.folder, "dist", file)).then(
        (body) => response.setHeader("content-type", types[extname(file)] ?? "text/plain").end(body),
        (error: unknown) => response.writeHead(404).end(String(error)),
      );
    });

    beforeAll(async () => {
      app = await installForeign("vite-app");
      await npm(["install", "--ignore-scripts", "@fairlead/client@latest"], app.folder, registry().env);
      await cp(join(project().cwd, "gen"), join(app.folder, "src/gen"), {
        recursive: true,
        filter: (path) => !/\.json$|(?:manifest|router|tools)\.ts$/.test(path) || path.endsWith("app-router.ts"),
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      page = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      up = start({ ...project(), env: { FAIRLEAD_ORIGINS: page } }, ["up", "--port", "0"]);
    });
    afterAll(async () => {
      server.close().closeAllConnections();
      await stop(up);
      await app.remove();
    });

    const compilers = ["typescript", "typescript-5"];
    const settings = ["tsconfig.json", "tsconfig.nodenext.json"];
    it.each(compilers.flatMap((compiler) => settings.map((file) => [compiler, file] as const)))(
      "compiles by %s with %s",
      async (compiler, file) => {
        const output = await app.run(`node_modules/${compiler}/bin/tsc`, "-p", file).catch(({ stdout }) => stdout);
        // Where there are no types of Node, tRPC's own declarations are at fault.
        const faults = output.split("\n").filter((line: string) => !/^$|^node_modules\/@trpc\/server\//.test(line));
        expect(faults).toEqual([]);
      },
    );

    it("works in the browser", async () => {
      expect(chromium, "apt-get install chromium").toBeDefined();
      const [url = ""] = /http:\S+(?=\/openapi\.json\n)/.exec(await up.until(/openapi\.json\n/)) ?? [];
      await writeFile(join(app.folder, ".env"), `VITE_KERNEL=${url}\n`);
      await app.run("node_modules/vite/bin/vite.js", "build");
      const { shown, problems } = JSON.parse(await app.run("drive.js", page, chromium ?? ""));
      expect(problems).toEqual([]);
      expect(shown).toEqual({ greeting: "Hello, Ada.", refused: "refused: blank_name" });
    });
  });
};
