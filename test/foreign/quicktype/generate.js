/** Prints types for JSON Schema documents: `node generate.js <language> <document>...` prints one JSON object, text by document. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from "quicktype-core";

class NoStore extends FetchingJSONSchemaStore {
  async fetch(address) {
    throw new Error(`fetches ${address}`);
  }
}

const [lang, ...files] = process.argv.slice(2);
const texts = {};
for (const file of files) {
  const schemaInput = new JSONSchemaInput(new NoStore());
  await schemaInput.addSource({ name: basename(file, ".json"), schema: readFileSync(file, "utf8") });
  const inputData = new InputData();
  inputData.addInput(schemaInput);
  const { lines } = await quicktype({ inputData, lang, rendererOptions: { "just-types": "true" } });
  texts[basename(file)] = lines.join("\n");
}
process.stdout.write(JSON.stringify(texts));
