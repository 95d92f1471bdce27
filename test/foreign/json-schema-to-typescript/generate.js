/** Prints TypeScript types for JSON Schema documents: `node generate.js <document>...` prints one JSON object, text by document. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { compile } from "json-schema-to-typescript";

const texts = {};
for (const file of process.argv.slice(2)) {
  const schema = JSON.parse(readFileSync(file, "utf8"));
  texts[basename(file)] = await compile(schema, basename(file, ".json"), {
    bannerComment: "",
    format: false,
    $refOptions: { resolve: { external: false } },
  });
}
process.stdout.write(JSON.stringify(texts));
