/**
 * The packages in a registry on loopback, and those who get them there: npm, pnpm and yarn, each with a home folder of its own. The registry and the package managers are in
 * `test/foreign/registry`; what is not Fairlead's comes from where this repository's packages come from.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installForeign } from "../foreign/install.ts";
import { repository } from "./command.ts";
import { npm, npmEnv, packages } from "./packed.ts";

export interface Registry {
  /** Variables of a person who uses it, with the package managers in `PATH`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  close(): Promise<void>;
}

/** What the package managers of others are called by, and the files that they are. */
const programs = { pnpm: `@pnpm/exe.linux-${process.arch}/pnpm`, yarn: "@yarnpkg/cli-dist/bin/yarn.js" };

/** The packages have to be built. */
export const startRegistry = async (): Promise<Registry> => {
  const folder = await mkdtemp(join(tmpdir(), "fairlead-registry-"));
  const program = await installForeign("registry");
  const others = (await npm(["config", "get", "registry"], repository)).stdout.trim();
  const server = spawn(process.execPath, ["serve.js", folder, others], {
    cwd: program.folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()));
  const close = async (): Promise<void> => {
    server.kill();
    await ended;
    await Promise.all([program.remove(), rm(folder, { recursive: true, force: true })]);
  };
  try {
    const url = await new Promise<string>((resolve, reject) => {
      server.stdout.once("data", (line) => resolve(String(line).trim()));
      ended.then(() => reject(new Error("the registry ended")));
    });
    const bin = join(folder, "bin");
    await mkdir(bin);
    for (const [name, file] of Object.entries(programs))
      await symlink(join(program.folder, "node_modules", file), join(bin, name));
    const env = await environmentOf({ url, home: folder, bin });
    const published = Object.values(packages).flatMap((each) => ["--workspace", each]);
    await npm(["publish", "--ignore-scripts", ...published], repository, env);
    return { env, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Without the commands of this repository, which nobody else has. */
const othersPath = (): readonly string[] =>
  (process.env.PATH ?? "").split(":").filter((folder) => !folder.includes("node_modules"));

const environmentOf = async (at: {
  readonly url: string;
  readonly home: string;
  readonly bin: string;
}): Promise<Readonly<Record<string, string | undefined>>> => {
  const { host } = new URL(at.url);
  const settings = join(at.home, ".npmrc");
  // What was downloaded once is used, but no package of the name `fairlead` that npx kept from another run.
  const { stdout: cache } = await npm(["config", "get", "cache"], repository);
  await mkdir(join(at.home, ".npm"));
  await symlink(join(cache.trim(), "_cacache"), join(at.home, ".npm/_cacache"));
  await writeFile(
    settings,
    `registry=${at.url}\n//${host}/:_authToken=anyone\nfund=false\naudit=false\nupdate-notifier=false\n`,
  );
  return {
    ...npmEnv,
    PATH: [at.bin, dirname(process.execPath), ...othersPath()].join(":"),
    HOME: at.home,
    XDG_STATE_HOME: join(at.home, "state"),
    npm_config_userconfig: settings,
    npm_config_cache: join(at.home, ".npm"),
    YARN_NPM_REGISTRY_SERVER: at.url.replace(/\/$/, ""),
    YARN_UNSAFE_HTTP_WHITELIST: new URL(at.url).hostname,
    YARN_ENABLE_TELEMETRY: "0",
    // What was published a minute ago is wanted here.
    YARN_NPM_MINIMAL_AGE_GATE: "0",
    // A person installs for the first time: where continuous integration is announced (`CI`), yarn refuses to write the first lockfile.
    YARN_ENABLE_IMMUTABLE_INSTALLS: "0",
    YARN_HTTP_RETRY: "8",
    FAIRLEAD_PORT: "0",
    FAIRLEAD_LAG_MS: "60000",
  };
};
