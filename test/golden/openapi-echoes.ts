/** A client that an independent generator makes from the OpenAPI document of the echo project. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isWireError } from "@fairlead/contracts";
import { type ForeignProgram, installForeign } from "../foreign/install.ts";
import { type CallConstruct, type EchoProject, echoCases, refusal } from "./differential.ts";

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
  const inQuery = new Set(echoCases(0, 1).flatMap((each) => (each.inQuery ? [each.name] : [])));
  return {
    call: async (name, input) => {
      const found = client[names.get(`echo${name}`) ?? names.get(name) ?? ""];
      if (typeof found !== "function") throw new Error(`the generated client has no ${name}`);
      const operation = found as Operation;
      // A required parameter of a query comes by itself, an optional one in an object.
      const isPositional = inQuery.has(name) && !new RegExp(`function ${found.name}\\(\\{`).test(source);
      const { status, data } = await operation(isPositional ? Object(input).it : input);
      if (status === 200) return { ok: true, value: data };
      if (!isWireError(data)) throw new Error(`${name} answered ${status}: ${JSON.stringify(data)}`);
      return refusal(data);
    },
    [Symbol.asyncDispose]: () => oazapfts.remove(),
  };
};
