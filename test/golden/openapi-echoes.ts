/** A client that an independent generator makes from the OpenAPI document of the echo project. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isWireError } from "@fairlead/contracts";
import { type ForeignProgram, installForeign } from "../foreign/install.ts";
import { type CallConstruct, type EchoProject, fitsQuery, refusal } from "./differential.ts";

interface ForeignClient extends AsyncDisposable {
  readonly call: CallConstruct;
}

type Operation = (...parameters: readonly unknown[]) => Promise<{ readonly status: number; readonly data: unknown }>;

export const openForeignClient = async ({ url, openapi }: EchoProject): Promise<ForeignClient> => {
  const oazapfts: ForeignProgram = await installForeign("oazapfts");
  await writeFile(join(oazapfts.folder, "openapi.json"), openapi);
  const source = await oazapfts.run("generate.js", "openapi.json");
  await writeFile(join(oazapfts.folder, "client.ts"), source);
  const client: Readonly<Record<string, unknown>> & { readonly defaults: { baseUrl: string } } = await import(
    pathToFileURL(join(oazapfts.folder, "client.ts")).href
  );
  client.defaults.baseUrl = url;
  const names = new Map(Object.keys(client).map((name) => [name.toLowerCase(), name]));
  const findOperation = (name: string): string | undefined => names.get(`echo${name}`) ?? names.get(name);
  return {
    call: async (name, input) => {
      const found = (fitsQuery(name, input) ? findOperation(`${name}get`) : undefined) ?? findOperation(name) ?? "";
      const operation = client[found];
      if (typeof operation !== "function") throw new Error(`the generated client has no ${name}`);
      // A required parameter of a query comes by itself, an optional one in an object.
      const isPositional = /get$/i.test(found) && !new RegExp(`function ${found}\\(\\{`).test(source);
      const { status, data } = await (operation as Operation)(isPositional ? Object(input).it : input);
      if (status === 200) return { ok: true, value: data };
      if (!isWireError(data)) throw new Error(`${name} answered ${status}: ${JSON.stringify(data)}`);
      return refusal(data);
    },
    [Symbol.asyncDispose]: () => oazapfts.remove(),
  };
};
