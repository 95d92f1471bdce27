/** `npx @me/notes-mcp`: a project's service as a package of its own, made as docs/services.md says, and installed where nothing else is. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Command, repository, run } from "./command.ts";
import { env, install, shell } from "./packed.ts";

const tsc = join(repository, "node_modules/.bin/tsc");

const blocks = async (): Promise<readonly { readonly title: string | undefined; readonly text: string }[]> => {
  const [, section = ""] = (await readFile(join(repository, "docs/services.md"), "utf8")).split(
    "## A service as a package of its own",
  );
  return [...section.matchAll(/^```\w+(?: title="([^"]+)")?\n([\s\S]*?)^```$/gm)].map(([, title, text = ""]) => ({
    title,
    text,
  }));
};

/** `packed` gives the files of the packages, and `command` the installed command. */
export const describePackagedService = (packed: () => readonly string[], command: () => Command): void => {
  describe("a service as a package of its own", () => {
    let folder: string;
    let empty: string;
    /** Written by a service of the project that nobody calls. */
    let mark: string;

    beforeAll(async () => {
      folder = await realpath(await mkdtemp(join(tmpdir(), "fairlead-packaged-")));
      [empty, mark] = [join(folder, "empty"), join(folder, "started")];
      const project = join(folder, "notes-mcp");
      const init = await run({ ...command(), cwd: folder }, ["init", "notes-mcp", "--service", "notes"]);
      expect(init).toMatchObject({ code: 0, err: "" });
      await install(project, packed());
      await addSecondService(project);
      for (const { title, text } of await blocks()) {
        if (title !== undefined) await writeFile(join(project, title), text);
        // Nothing is published by a test.
        else await shell(text.replace("npm publish --access public", `npm pack --pack-destination ${folder}`), project);
      }
      await mkdir(empty);
      const own = (await readdir(folder)).filter((name) => name.endsWith(".tgz")).map((name) => join(folder, name));
      expect(own).toHaveLength(1);
      await install(empty, [...own, ...packed()]);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    const addSecondService = async (project: string): Promise<void> => {
      await shell("fairlead new journal", project);
      const file = join(project, "services/journal/service.ts");
      const text = await readFile(file, "utf8");
      const starts = "defineService(contract, () => {\n  writeFileSync(process.env.MARK ?? '', '');\n  return {";
      const marked = text.replace("defineService(contract, () => ({", starts).replace(/\}\)\);\n$/, "};\n});\n");
      await writeFile(file, `import { writeFileSync } from "node:fs";\n${marked}`);
    };

    const connect = async (): Promise<Client> => {
      const client = new Client({ name: "packaged", version: "1.0.0" });
      const own = { ...env, MARK: mark, XDG_STATE_HOME: join(folder, "state") };
      await client.connect(
        new StdioClientTransport({ command: "npx", args: ["@me/notes-mcp"], cwd: empty, env: own, stderr: "inherit" }),
      );
      return client;
    };

    it("introduces itself, and starts no other service of its project", async () => {
      const [client, second] = [await connect(), await connect()];
      try {
        expect(client.getServerVersion()).toMatchObject({ name: "notes", version: "0.1.0" });
        expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["notes_greet"]);
        const greeted = { structuredContent: { greeting: "Hello, Ada." } };
        for (const each of [client, second])
          expect(await each.callTool({ name: "notes_greet", arguments: { name: "Ada" } })).toMatchObject(greeted);
        expect(existsSync(mark)).toBe(false);
      } finally {
        await Promise.all([client.close(), second.close()]);
      }
    });

    it("is plugged into another project by one line", async () => {
      const settings = { manifest: "./gen/manifest.ts", gen: { include: ["@me/notes-mcp"] } };
      await writeFile(join(empty, "fairlead.config.json"), JSON.stringify(settings));
      await shell("npx fairlead gen", empty);
      const { stdout } = await shell("npx fairlead notes greet --name Ada --local --json", empty);
      expect(stdout).toContain('"Hello, Ada."');
      // Its client is typed without a project.
      const program =
        'import { notes, type NotesTypes } from "@me/notes-mcp/client";\nconst { id }: { id: "notes" } = notes;\n';
      await writeFile(
        join(empty, "program.ts"),
        `${program}const input: NotesTypes["greet"]["input"] = { name: id };\nvoid input;\n`,
      );
      await shell(`${tsc} --noEmit --strict --skipLibCheck --module nodenext --types "" program.ts`, empty);
    });
  });
};
