/**
 * The procedures of the kernel's contract for resources: the same for every wire but MCP, which has words of its own for them. Loaded with
 * the first call of one.
 */
import { type Contract, FairleadError, type HandlerInput } from "@fairlead/contracts";
import type { kernel } from "@fairlead/contracts/kernel";
import type { Dispatch, Principal } from "../call/call.ts";
import type { KernelEvent } from "../observe/event.ts";
import type { Call } from "../service/handler.ts";
import type { ResourceSource } from "./resources.ts";

type KernelProcedures = (typeof kernel)["procedures"];
type Input<N extends keyof KernelProcedures> = HandlerInput<KernelProcedures[N]>;

interface ResourceView {
  /** Of all services that are loaded. */
  readonly contracts: () => readonly Contract[];
  readonly dispatch: Dispatch;
  readonly events: { kept(): readonly KernelEvent[] };
}

/** The call that a handler serves, as far as it goes on to others. */
interface Serving {
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

export const resourceHandlers = ({ contracts, dispatch, events }: ResourceView) => {
  const load = () => import("./resources.ts");
  const sourceFor = ({ principal, signal }: Serving): ResourceSource => {
    const { services } = principal;
    // Its own place and rate are those of the call that it serves.
    const { rate: _, ...caller } = principal;
    return {
      contracts: contracts().filter(({ id }) => services?.includes(id) !== false),
      dispatch,
      terms: { principal: caller, signal, transport: "memory" },
    };
  };
  return {
    listResources: async (call: Serving) => {
      const { listResources, listTemplates } = await load();
      const source = sourceFor(call);
      const resources = await listResources(source);
      return {
        resources: resources.map(({ uri, ...named }) => ({ uri, ...described(named) })),
        templates: listTemplates(source.contracts).map(({ uriTemplate: template, ...named }) => ({
          template,
          ...described(named),
        })),
      };
    },
    readResource: async ({ uri }: Input<"readResource">, call: Call<KernelProcedures["readResource"]>) => {
      const { readResource } = await load();
      const reply = await readResource(sourceFor(call), uri);
      if (reply === undefined) throw call.fail("unknown_resource", { message: unknown(uri) });
      if (!reply.ok) throw refusal(reply.error);
      const { mimeType: type, text } = reply.value;
      return { uri, type, text };
    },
    watchResource: async function* ({ uri }: Input<"watchResource">, call: Call<KernelProcedures["watchResource"]>) {
      const [{ readFound }, { findResource }, { watchResource }] = await Promise.all([
        load(),
        import("./address.ts"),
        import("./watch.ts"),
      ]);
      const source = sourceFor(call);
      const found = findResource(source.contracts, uri);
      if (found === undefined) throw call.fail("unknown_resource", { message: unknown(uri) });
      const reply = await readFound(source, found);
      if (!reply.ok) throw refusal(reply.error);
      for await (const at of watchResource(source, found, call.signal)) yield { uri, at: at.toISOString() };
    },
    completeArgument: async (
      { of, argument, typed, given: values }: Input<"completeArgument">,
      call: Call<KernelProcedures["completeArgument"]>,
    ) => {
      const { completeField, completePrompt } = await load();
      const source = sourceFor(call);
      const isTemplate = of.startsWith("fairlead://");
      const found = await (isTemplate
        ? completeField(source, { template: of, field: argument, typed, values })
        : completePrompt(source, { prompt: of, argument, typed, values }));
      if (found === undefined)
        throw call.fail("unknown_argument", { message: `there is no ${isTemplate ? "template" : "prompt"} ${of}` });
      return { values: [...found.values], total: found.total };
    },
    recentEvents: ({ types, last }: Input<"recentEvents">) => ({
      events: events
        .kept()
        .filter(({ type }) => types?.includes(type) !== false)
        .slice(-last)
        .map(({ seq, at, type, service, data }) => ({
          seq,
          at: new Date(at).toISOString(),
          type,
          service,
          data: JSON.parse(JSON.stringify(data)),
        })),
    }),
  };
};

const described = ({
  name,
  title,
  description,
  mimeType,
}: {
  name: string;
  title: string;
  description: string;
  mimeType: string;
}) => ({
  name,
  title,
  summary: description,
  type: mimeType,
});

const unknown = (uri: string): string => `there is no resource ${uri.slice(0, 200)}`;

/** As the query refused; what that one declares is not declared here. */
const refusal = ({ reason: _, data: _data, ...error }: ConstructorParameters<typeof FairleadError>[0]): FairleadError =>
  new FairleadError(error);
