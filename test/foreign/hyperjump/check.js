/**
 * Compiles JSON Schema documents and checks values: `node check.js <cases.json>`, where cases are
 * `{ "documents": [path], "values": [{ "schema": uri, "value": json }] }`. Prints the list of results, in the order of the values.
 */
import { readFileSync } from "node:fs";
import { registerSchema, validate } from "@hyperjump/json-schema/draft-2020-12";

const { documents, values } = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const file of documents) registerSchema(JSON.parse(readFileSync(file, "utf8")));
const results = [];
for (const { schema, value } of values) results.push((await validate(schema, value)).valid);
process.stdout.write(JSON.stringify(results));
