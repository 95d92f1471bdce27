/** Prints TypeScript types for an OpenAPI document: `node generate.js <document>`. */
import { readFileSync } from "node:fs";
import openapiTypescript, { astToString } from "openapi-typescript";

process.stdout.write(astToString(await openapiTypescript(JSON.parse(readFileSync(process.argv[2], "utf8")))));
