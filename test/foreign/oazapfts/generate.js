/** Prints a TypeScript client for an OpenAPI document: `node generate.js <document>`. */
import { generateSource } from "oazapfts";

process.stdout.write(await generateSource(process.argv[2] ?? ""));
