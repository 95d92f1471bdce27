/**
 * The last step of building a service package, run in its folder: its contract and its typed client, which are in `contracts/` and
 * `clients/typescript/gen` in this repository, are copied into its `dist`, and what it has compiled imports the contract from there.
 *
 * Needs the builds of `@fairlead/contracts` and `@fairlead/client`. Not here: what the platform's own packages publish (`platform.ts`).
 */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

const repository = resolve(import.meta.dirname, "../..");
const folder = process.cwd();
const id = basename(folder);
const dist = join(folder, "dist");
const contracts = join(repository, "contracts/dist/src");
const clients = join(repository, "clients/typescript/dist/gen");

/** Rewrites all files of JavaScript and of types below a folder. */
const rewrite = (below: string, change: (text: string, file: string) => string): void => {
  for (const name of globSync("**/*.{js,d.ts}", { cwd: below })) {
    const file = join(below, name);
    const before = readFileSync(file, "utf8");
    const after = change(before, file);
    if (after !== before) writeFileSync(file, after);
  }
};

const specifier = (from: string, to: string): string => {
  const path = relative(dirname(from), to).split(sep).join("/");
  return path.startsWith(".") ? path : `./${path}`;
};

const copy = (from: string, names: readonly string[], to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const name of names) {
    if (!existsSync(join(from, name))) throw new Error(`${join(from, name)} is missing: build its package first`);
    cpSync(join(from, name), join(to, name), { recursive: true });
  }
};

const contract = `${id}.contract`;
const parts = existsSync(join(contracts, id)) ? [id] : [];
const own = join(dist, "contract");
copy(contracts, [`${contract}.js`, `${contract}.d.ts`, ...parts], own);
/** The contract language, by any of its modules: types name the one that declares them. */
const language = /"(?:\.\/|(?:\.\.\/)+)core\/[\w/-]+\.[jt]s"/g;
rewrite(own, (text) => text.replaceAll(language, '"@fairlead/contracts"'));
rewrite(dist, (text, file) =>
  text.replaceAll(`"@fairlead/contracts/${id}"`, JSON.stringify(specifier(file, join(own, `${contract}.js`)))),
);

const client = [`${id}.js`, `${id}.d.ts`];
if (!existsSync(join(clients, `${id}.js`)))
  throw new Error(
    `service ${id} has no generated client to pack: run \`npx fairlead gen\`, then \`npm run build\` again`,
  );
const shared = client.some((name) => readFileSync(join(clients, name), "utf8").includes('"./shared-types.'));
copy(clients, [...client, ...(shared ? ["shared-types.js", "shared-types.d.ts"] : [])], join(dist, "client"));
