/**
 * The procedures of one service, for its page: `serviceApi<NotesTypes>("notes")`, with the types that were generated from its contract. The name of the
 * service is all that the console is given of it.
 */
import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { queryClient, readCallError, untypedClient } from "../api/client.ts";
import { appendLatest } from "../api/ring.ts";

/** What each procedure takes and gives, as generated clients have it. */
type Types<T> = { readonly [Name in keyof T]: { readonly input: unknown; readonly output: unknown } };

interface QueryOptions {
  /** Milliseconds after which it is asked again. */
  readonly every?: number;
  /** False to ask nothing yet. Default true. */
  readonly enabled?: boolean;
}

/** `lost`: it is opened again by itself. `ended`: it is not; `problem` says why. */
export interface StreamStatus {
  readonly state: "connecting" | "open" | "lost" | "ended";
  readonly problem?: string;
}

export interface ServiceApi<T extends Types<T>> {
  /** Asks once, without React. */
  query<Name extends keyof T & string>(name: Name, input: T[Name]["input"]): Promise<T[Name]["output"]>;
  /** The answer of a query, kept and shared by all who ask the same. */
  useQuery<Name extends keyof T & string>(
    name: Name,
    input: T[Name]["input"],
    options?: QueryOptions,
  ): UseQueryResult<T[Name]["output"]>;
  /** A change to make with `mutate`. Each has its own idempotency key. */
  useMutation<Name extends keyof T & string>(name: Name): UseMutationResult<T[Name]["output"], Error, T[Name]["input"]>;
  /** Has answers of a query asked for again. */
  useRefresh(): (name: keyof T & string) => void;
  /**
   * Follows a subscription while the page is open; it goes on after its last event when the connection comes back. What comes is handed on together, some
   * times a second, so that a busy service costs the page no more than a quiet one.
   */
  useStream<Name extends keyof T & string>(
    name: Name,
    input: T[Name]["input"],
    onData: (values: readonly T[Name]["output"][]) => void,
  ): StreamStatus;
}

export const serviceApi = <T extends Types<T>>(service: string): ServiceApi<T> => {
  const full = (name: string): string => `${service}.${name}`;
  const queryKeyFor = (name: string, input: unknown): readonly unknown[] => [full(name), input];
  // The boundary to procedures by name: their types are those that were generated with them.
  const ask = (name: string, input: unknown, signal?: AbortSignal): Promise<never> =>
    untypedClient.query(full(name), input, signal === undefined ? {} : { signal }) as Promise<never>;
  return {
    query: (name, input) => ask(name, input),
    useQuery: (name, input, { every, enabled = true } = {}) =>
      useQuery({
        queryKey: queryKeyFor(name, input),
        queryFn: ({ signal }) => ask(name, input, signal),
        enabled,
        ...(every !== undefined && { refetchInterval: every }),
      }),
    useMutation: (name) =>
      useMutation({ mutationFn: (input) => untypedClient.mutation(full(name), input) as Promise<never> }),
    useRefresh: () => {
      const client = useQueryClient();
      return useCallback((name) => void client.invalidateQueries({ queryKey: [full(name)] }), [client]);
    },
    useStream: (name, input, onData) => useStream({ procedure: full(name), input, onData }),
  };
};

interface Stream<T> {
  readonly procedure: string;
  readonly input: unknown;
  readonly onData: (values: readonly T[]) => void;
}

const flushEveryMs = 80;
/** A tab in the background is woken rarely. */
const mostWaiting = 5_000;

const useStream = <T>({ procedure, input, onData }: Stream<T>): StreamStatus => {
  const [status, setStatus] = useState<StreamStatus>({ state: "connecting" });
  const take = useRef(onData);
  useEffect(() => {
    take.current = onData;
  });
  // An input that says the same is the same stream.
  const text = JSON.stringify(input);
  useEffect(() => {
    let waiting: readonly T[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
      timer = undefined;
      const values = waiting;
      waiting = [];
      take.current(values);
    };
    const stream = untypedClient.subscription(procedure, JSON.parse(text), {
      onStarted: () => setStatus({ state: "open" }),
      onConnectionStateChange: ({ state }) =>
        setStatus({ state: state === "pending" ? "open" : state === "connecting" ? "connecting" : "lost" }),
      onData: (value) => {
        waiting = appendLatest(waiting, [withoutId(value) as T], mostWaiting);
        timer ??= setTimeout(flush, flushEveryMs);
      },
      onError: (error) => {
        setStatus({ state: "ended", problem: readCallError(error).message });
        // The next answers of the kernel say whether this browser is still let in.
        void queryClient.invalidateQueries();
      },
    });
    return () => {
      clearTimeout(timer);
      stream.unsubscribe();
    };
  }, [procedure, text]);
  return status;
};

/** A tracked event comes with its id. */
const withoutId = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "id" in value && "data" in value ? value.data : value;
