/** `node check.js <tarball>...`: prints what publint and are-the-types-wrong find in each, as JSON: a list of texts by file. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** Packages of modules alone: what CommonJS and resolution before `exports` would make of them is not asked. */
const isAsked = ({ kind, resolutionKind }) =>
  kind !== "CJSResolvesToESM" && resolutionKind !== "node10" && resolutionKind !== "node16-cjs";

const found = {};
for (const path of process.argv.slice(2)) {
  const data = readFileSync(path);
  const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  const { problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  found[basename(path)] = [
    ...messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`),
    ...problems.filter(isAsked).map((problem) => `types: ${JSON.stringify(problem)}`),
  ];
}
process.stdout.write(JSON.stringify(found));
