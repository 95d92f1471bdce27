/** Thousands of malformed requests to one kernel: none may crash it, hang, or be answered with a fault of ours. */

import { Random } from "./random.ts";
import { makeRequest, readProcedures } from "./requests.ts";
import { callPath, sendBytes } from "./send.ts";
import { each, type StageResult, type StageSetup } from "./stage.ts";

/** Requests of the quick run. */
const quick = 1_500;
/** Bytes by which a kernel's resident memory may be larger afterwards, or after the same requests once more. */
const mostGrowth = 50 * 1_048_576;
/** Requests without an end after which no more are sent. */
const mostHangs = 5;
/** Requests before it is measured first: the code, data and threads of services come with their first calls. */
const warmUp = 1_000;
/** Of their seeds, which are no seeds of a run. */
const warmUpSeed = 2 ** 31;

export const fuzz = async ({ seed, scale, start, corpus }: StageSetup): Promise<StageResult> => {
  const kernel = await start();
  const host = `127.0.0.1:${kernel.port}`;
  const procedures = readProcedures(await (await fetch(`http://${host}/openapi.json`)).text());
  const count = quick * scale;
  const seeds = [...corpus, ...Array.from({ length: count }, (_, at) => seed + at)];
  const failed = new Map<number, string>();
  const sent: Record<string, number> = { call: 0, json: 0, mcp: 0, http: 0 };
  let shed = 0;
  let accepted = 0;
  for (const { path, reads, examples } of procedures)
    for (const example of reads ? examples : []) await callPath(kernel.port, path, { input: example });
  await each(warmUp, {
    atOnce: 8,
    work: async (at) =>
      void (await sendBytes(kernel.port, makeRequest(new Random(warmUpSeed + at), procedures, host).bytes)),
  });
  const before = await kernel.usage();
  let hangs = 0;
  const work = async (at: number): Promise<void> => {
    const own = seeds[at] ?? seed;
    // Each of them takes minutes to be seen.
    if (hangs >= mostHangs) return;
    const { kind, bytes } = makeRequest(new Random(own), procedures, host);
    sent[kind] = (sent[kind] ?? 0) + 1;
    const { status, text, hung } = await sendBytes(kernel.port, bytes);
    const isShed = status === 503 && text.includes("the kernel is overloaded");
    if (isShed) shed += 1;
    if (status !== undefined && status < 300) accepted += 1;
    if (hung) {
      hangs += 1;
      failed.set(own, "no answer and no end");
    } else if (status !== undefined && status >= 500 && !isShed && !isUnavailable(text))
      failed.set(own, `${status} ${text.slice(-300)}`);
  };
  await each(seeds.length, { atOnce: 8, work });
  const isAlive =
    (await sendBytes(kernel.port, Buffer.from(`GET /livez HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)))
      .status === 200;
  const after = await kernel.usage();
  const grown = (after?.resident ?? 0) - (before?.resident ?? 0);
  const heap = (after?.bytes ?? 0) - (before?.bytes ?? 0);
  // A thread or code that came late comes once. What is lost by each request is lost again.
  let again: number | undefined;
  if (grown > mostGrowth) {
    await each(seeds.length, { atOnce: 8, work });
    again = ((await kernel.usage())?.resident ?? 0) - (after?.resident ?? 0);
  }
  await kernel.end("SIGTERM");
  const problems = [
    ...[...failed].map(([own, what]) => `seed ${own}: ${what}`),
    ...(isAlive ? [] : ["the kernel does not answer any more"]),
    ...(again !== undefined && again > mostGrowth
      ? [
          `its resident memory has grown by ${megabytes(grown)}, its heap by ${megabytes(heap)}; by the same requests once more by ${megabytes(again)}`,
        ]
      : []),
  ];
  const kinds = Object.entries(sent).map(([kind, times]) => `${times} ${kind}`);
  const size =
    after === undefined
      ? ""
      : `, resident memory ${signed(grown)}${again === undefined ? "" : ` (once more: ${signed(again)})`}, heap ${signed(heap)}`;
  return {
    name: "malformed requests",
    ok: problems.length === 0,
    figures: `${seeds.length} requests (${kinds.join(", ")}) to ${procedures.length} procedures, ${accepted} accepted, ${shed} shed, ${failed.size} failed${size}`,
    problems,
    seeds: [...failed.keys()],
  };
};

/** A service of the user's that is down, or a procedure that is switched off, says so: that is no fault. */
const isUnavailable = (text: string): boolean =>
  /"code":"(?:unavailable|unimplemented|deadline_exceeded|unknown)"/.test(text);

const signed = (bytes: number): string => `${bytes < 0 ? "-" : "+"}${megabytes(Math.abs(bytes))}`;

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`;
