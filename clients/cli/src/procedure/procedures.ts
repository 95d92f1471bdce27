/**
 * The procedures of a service as commands: `fairlead todo add --text milk`. Read off the service's JSON Schema document, from the project's
 * manifest or the kernel at `--url`; starts no kernel.
 */
import type { CommandRow } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { servedSchema } from "../kernel/remote.ts";
import { projectManifest } from "../owner/place.ts";
import { parseJson } from "../text/json-text.ts";
import { isRecord } from "../text/record.ts";

/** None where there is no service of that name. */
export const procedureRows = async (context: Context, service: string): Promise<readonly CommandRow[]> => {
  const text = await (context.url === undefined ? projectSchema(context, service) : servedSchema(service, context));
  const parsed = text === undefined ? undefined : parseJson(text);
  return parsed?.ok === true ? toRows(service, parsed.value) : [];
};

/** Ids of the services that there are. */
export const serviceIds = async (context: Context): Promise<readonly string[]> => {
  const { services } = await projectManifest(context);
  return [...services.map(({ id }) => id), "kernel"];
};

const projectSchema = async (context: Context, service: string): Promise<string | undefined> =>
  (await projectManifest(context)).schema(service);

const toRows = (service: string, document: unknown): readonly CommandRow[] => {
  if (!isRecord(document) || !isRecord(document.properties)) return [];
  const { $defs = {}, properties } = document;
  return Object.entries(properties).map(([procedure, described]) => {
    const { description, properties: parts } = isRecord(described) ? described : {};
    const input = isRecord(parts) && isRecord(parts.input) ? { ...parts.input, $defs } : {};
    return {
      name: `${service} ${procedure}`,
      summary: typeof description === "string" ? description.replace(/\.$/, "") : "",
      load: async () => ({
        default: (await import("./procedure-command.ts")).procedureCommand({ service, procedure, input }),
      }),
    };
  });
};
