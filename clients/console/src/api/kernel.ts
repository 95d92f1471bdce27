/** What pages read of the kernel: services, figures, the process and who is there. Services are read again as soon as an event says that they changed. */

import type { KernelTypes } from "@fairlead/client/kernel";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTRPC } from "./client.ts";
import { onEvents } from "./live.ts";

export type ServiceStatus = KernelTypes["services"]["output"]["services"][number];
export type ProcedureDescription = KernelTypes["describe"]["output"]["procedures"][number];

/** Events after which the list of services is another. */
const changes = /^(?:service\.|child\.|supervisor\.|events\.dropped)/;

export const useServices = () => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.kernel.services.queryOptions({}, { refetchInterval: 10_000 });
  const { queryKey } = options;
  useEffect(
    () =>
      onEvents((events) => {
        if (events.some(({ type }) => changes.test(type))) void client.invalidateQueries({ queryKey });
      }),
    [client, queryKey],
  );
  return useQuery(options);
};

export const useStats = () => useQuery(useTRPC().kernel.stats.queryOptions({}, { refetchInterval: 3_000 }));

export const useProcess = () => useQuery(useTRPC().kernel.process.queryOptions({}, { refetchInterval: 3_000 }));

export const useWhoami = () => useQuery(useTRPC().kernel.whoami.queryOptions({}, { staleTime: 30_000 }));

/** Whether the caller may restart services and the like. */
export const useIsAdmin = (): boolean => useWhoami().data?.access.includes("admin") === true;

export const useRestart = () => useMutation(useTRPC().kernel.restart.mutationOptions());

export const useService = (service: string) =>
  useQuery(useTRPC().kernel.describe.queryOptions({ service }, { staleTime: 10_000 }));
