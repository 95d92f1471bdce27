/** What must and must not compile with the flat AppRouter and tRPC's own client. Checked by `tsc`, never run. */
import { createTRPCClient, httpBatchLink, type TRPCClientErrorLike } from "@trpc/client";
import type { AppRouter } from "./expected/gen/app-router.ts";
import type { GardenTypes } from "./expected/gen/garden.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const exactly = <A, B>(same: Equal<A, B>): boolean => same;

const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: "http://127.0.0.1:5099/trpc" })] });

export const calls = async (): Promise<void> => {
  const found = await client.garden.findPlants.query({ tallerThan: 2, order: "height" });
  exactly<(typeof found.plants)[number]["planted"], string | null>(true);
  exactly<(typeof found.plants)[number]["labels"], string[] | undefined>(true);

  const answer = await client.garden.plant.mutate({ plant: { species: "Acer", height: 1, planted: null }, notes: [1] });
  if (answer.kind === "waiting") exactly<typeof answer.days, number>(true);
  else exactly<typeof answer.plant.id, string>(true);

  const nothing = await client.garden.fell.mutate({ id: "x" });
  exactly<typeof nothing, null>(true);

  const tree = await client.garden.plan.query({});
  exactly<(typeof tree.parts)[number]["parts"][number]["name"], string>(true);

  client.garden.growth.subscribe(
    { species: "Acer" },
    {
      onData: (event) => {
        exactly<typeof event.id, string>(true);
        exactly<typeof event.data.height, number>(true);
      },
    },
  );

  // @ts-expect-error a value outside of the enum
  await client.garden.findPlants.query({ order: "colour" });
  // @ts-expect-error a field that is not in the contract
  await client.garden.findPlants.query({ shorterThan: 2 });
  // @ts-expect-error a needed field is missing
  await client.garden.fell.mutate({});
  // @ts-expect-error a mutation is not queried
  await client.garden.fell.query({ id: "x" });
  // @ts-expect-error a procedure that is not in the contract
  await client.garden.dig.query({});
  // @ts-expect-error an output field that is not in the contract
  found.trees;
};

export const failures = (error: TRPCClientErrorLike<AppRouter>): void => {
  exactly<NonNullable<typeof error.data>["error"]["retryable"], boolean>(true);
  exactly<NonNullable<typeof error.data>["error"]["reason"], string | undefined>(true);
};

exactly<GardenTypes["fell"]["errors"]["no_such_plant"], { nearest: string[] }>(true);
exactly<GardenTypes["plant"]["errors"]["frost"], undefined>(true);
