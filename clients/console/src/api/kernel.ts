/** What pages read of the kernel: services, figures, the process and who is there. Services are read again as soon as an event says that they changed. */

import type { KernelTypes } from "@fairlead/client/kernel";
import { queryOptions, useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { trpcClient, untypedClient } from "./client.ts";
import { onEvents } from "./live.ts";
import { recordSample } from "./samples.ts";

export type ServiceStatus = KernelTypes["services"]["output"]["services"][number];
export type ProcedureDescription = KernelTypes["describe"]["output"]["procedures"][number];

const { kernel } = trpcClient;

const servicesQuery = queryOptions({
  queryKey: ["kernel.services"],
  queryFn: ({ signal }) => kernel.services.query({}, { signal }),
  refetchInterval: 10_000,
});

const describeQuery = (service: string) =>
  queryOptions({
    queryKey: ["kernel.describe", service],
    queryFn: ({ signal }) => kernel.describe.query({ service }, { signal }),
    staleTime: 10_000,
  });

/** Events after which the list of services is another. */
const changes = /^(?:service\.|child\.|supervisor\.|events\.dropped)/;

export const useServices = () => {
  const client = useQueryClient();
  useEffect(
    () =>
      onEvents((events) => {
        if (events.some(({ type }) => changes.test(type)))
          void client.invalidateQueries({ queryKey: servicesQuery.queryKey });
      }),
    [client],
  );
  return useQuery(servicesQuery);
};

export const useStats = () =>
  useQuery({
    queryKey: ["kernel.stats"],
    queryFn: ({ signal }) => kernel.stats.query({}, { signal }),
    refetchInterval: 3_000,
  });

export const useProcess = () =>
  useQuery({
    queryKey: ["kernel.process"],
    queryFn: async ({ signal }) => {
      const figures = await kernel.process.query({}, { signal });
      recordSample(figures);
      return figures;
    },
    refetchInterval: 3_000,
  });

export const useWhoami = () =>
  useQuery({
    queryKey: ["kernel.whoami"],
    queryFn: ({ signal }) => kernel.whoami.query({}, { signal }),
    staleTime: 30_000,
  });

/** Whether the caller may restart services and the like. */
export const useIsAdmin = (): boolean => useWhoami().data?.access.includes("admin") === true;

/** Whether the caller may change anything of a service: a token that only reads sees and cannot act. */
export const useMayCall = (service: string): boolean => {
  const { data } = useWhoami();
  return data?.access.includes("call") === true && (data.services === null || data.services.includes(service));
};

export const useRestart = () =>
  useMutation({ mutationFn: (input: KernelTypes["restart"]["input"]) => kernel.restart.mutate(input) });

export const useService = (service: string) => useQuery(describeQuery(service));

/** What each service offers, as far as it has been answered. */
export const useDescriptions = (): readonly {
  readonly service: string;
  readonly procedures: readonly ProcedureDescription[];
}[] => {
  const services = useServices().data?.services ?? [];
  const described = useQueries({ queries: services.map(({ id }) => ({ ...describeQuery(id), staleTime: 60_000 })) });
  return services.map(({ id }, index) => ({ service: id, procedures: described[index]?.data?.procedures ?? [] }));
};

export type Surface = KernelTypes["surfaces"]["output"]["procedures"][number];

/** How a procedure looks elsewhere: the tool that a model sees, the view of a verb. `undefined` before it was answered, and where it has neither. */
export const useSurface = (procedure: string): Surface | undefined => {
  const [service = ""] = procedure.split(".");
  const { data } = useQuery({
    queryKey: ["kernel.surfaces", service],
    queryFn: ({ signal }) => kernel.surfaces.query({ service }, { signal }),
    staleTime: 60_000,
  });
  return data?.procedures.find((surface) => surface.procedure === procedure);
};

export type ServicePageEntry = KernelTypes["pages"]["output"]["pages"][number];

const pagesQuery = queryOptions({
  queryKey: ["kernel.pages"],
  queryFn: ({ signal }) => kernel.pages.query({}, { signal }),
  staleTime: 10_000,
});

/** The pages of services that the caller may use. */
export const useServicePages = () => {
  const services = useWhoami().data?.services ?? null;
  return useQuery({
    ...pagesQuery,
    select: ({ pages }) => pages.filter(({ service }) => services === null || services.includes(service)),
  });
};

const detailsQuery = (service: string) =>
  queryOptions({
    queryKey: ["kernel.info", service],
    queryFn: ({ signal }) => kernel.info.query({ service }, { signal }),
    refetchInterval: 10_000,
  });

/** What a service reports of itself. */
export const useDetails = (service: string) => useQuery(detailsQuery(service));

/** The same of several, each as far as it has been answered. */
export const useAllDetails = (services: readonly string[]) =>
  useQueries({ queries: services.map((service) => detailsQuery(service)) });

/** The spans of a trace. They are kept for a while only, so what was answered stays. */
export const useTrace = (traceId: string) =>
  useQuery({
    queryKey: ["kernel.trace", traceId],
    queryFn: ({ signal }) => kernel.trace.query({ traceId }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

const tokensQueryKey = ["kernel.listTokens"] as const;

/** Who has a token; `may`: the caller is an administrator. */
export const useTokens = (may: boolean) =>
  useQuery({
    queryKey: tokensQueryKey,
    queryFn: ({ signal }) => kernel.listTokens.query({}, { signal }),
    enabled: may,
    refetchInterval: 5_000,
  });

type TokenChangeName = "createToken" | "rotateToken" | "revokeToken";

/** A change of tokens. What it answers holds a secret: it is in no cache. */
export const useTokenChange = <Name extends TokenChangeName>(name: Name) => {
  const client = useQueryClient();
  return useMutation<KernelTypes[Name]["output"], Error, KernelTypes[Name]["input"]>({
    mutationFn: (input) => untypedClient.mutation(`kernel.${name}`, input) as Promise<KernelTypes[Name]["output"]>,
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: tokensQueryKey }),
  });
};
