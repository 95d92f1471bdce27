/** What a call costs inside one process: the whole path of dispatch against Zod alone, oRPC and tRPC's caller. */
import { defineContract, query } from "@fairlead/contracts";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { defineService } from "@fairlead/kernel/service";
import { call, os } from "@orpc/server";
import { initTRPC } from "@trpc/server";
import * as z from "zod";
import { echoSchema, echoValue, sumInput, sumOutput, sumValue } from "./payload.ts";

const calls = 20_000;
const rounds = 7;

const contract = defineContract({
  id: "bench",
  version: "1.0.0",
  summary: "Answers benches.",
  procedures: {
    sum: query({ summary: "Adds.", input: sumInput, output: sumOutput }),
    echo: query({ summary: "Gives back.", input: echoSchema, output: echoSchema }),
  },
});

export const benchInProcess = async (): Promise<void> => {
  const kernel = openMemoryKernel([
    defineService(contract, () => ({ handlers: { sum: ({ a, b }) => ({ sum: a + b }), echo: (value) => value } })),
  ]);
  const [input, output, echo] = [z.compile(sumInput), z.compile(sumOutput), z.compile(echoSchema)];
  const orpcSum = os
    .input(sumInput)
    .output(sumOutput)
    .handler(({ input: { a, b } }) => ({ sum: a + b }));
  const orpcEcho = os
    .input(echoSchema)
    .output(echoSchema)
    .handler(({ input: value }) => value);
  const t = initTRPC.create();
  const caller = t.createCallerFactory(
    t.router({
      sum: t.procedure
        .input(sumInput)
        .output(sumOutput)
        .query(({ input: { a, b } }) => ({ sum: a + b })),
      echo: t.procedure
        .input(echoSchema)
        .output(echoSchema)
        .query(({ input: value }) => value),
    }),
  )({});
  const add = ({ a, b }: { readonly a: number; readonly b: number }) => ({ sum: a + b });
  const rows: Readonly<Record<string, readonly [() => unknown, () => unknown]>> = {
    "compiled Zod in and out": [
      () => z.parse(output, add(z.parse(input, sumValue))),
      () => z.parse(echo, z.parse(echo, echoValue)),
    ],
    "Zod in and out": [
      () => z.parse(sumOutput, add(z.parse(sumInput, sumValue))),
      () => z.parse(echoSchema, z.parse(echoSchema, echoValue)),
    ],
    "Fairlead dispatch, whole path": [
      () => kernel.call("bench.sum", sumValue),
      () => kernel.call("bench.echo", echoValue),
    ],
    "oRPC call()": [() => call(orpcSum, sumValue), () => call(orpcEcho, echoValue)],
    "tRPC createCaller": [() => caller.sum(sumValue), () => caller.echo(echoValue)],
  };
  console.log("\n| call in process | sum, µs CPU | 2 KB echo, µs CPU |\n|---|---|---|");
  for (const [name, [sum, twoKb]] of Object.entries(rows)) {
    console.log(`| ${name} | ${(await cost(sum)).toFixed(2)} | ${(await cost(twoKb)).toFixed(2)} |`);
  }
  await kernel.close();
};

const cost = async (once: () => unknown): Promise<number> => {
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    for (let index = 0; index < calls; index += 1) await once();
    const { user, system } = process.cpuUsage(before);
    figures.push((user + system) / calls);
  }
  return figures.toSorted((a, b) => a - b)[Math.floor(rounds / 4)] ?? Number.NaN;
};
