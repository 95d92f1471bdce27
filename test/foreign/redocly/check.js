/** Judges an OpenAPI document by the rules of the specification: `node check.js <document>` prints what is wrong, a line each. */
import { createConfig, lint } from "@redocly/openapi-core";

const config = await createConfig({ extends: ["spec"] });
for (const { severity, ruleId, message, location } of await lint({ ref: process.argv[2], config })) {
  process.stdout.write(`${severity} ${ruleId} ${location[0]?.pointer ?? ""}: ${message}\n`);
}
