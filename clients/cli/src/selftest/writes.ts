/**
 * Keyed writes against kills and against a disk that is full: the answer of a keyed call that a client has seen is given again to the
 * same key by the next kernel on the same state, and the call did not run twice.
 */
import { setTimeout as pause } from "node:timers/promises";
import { canMountDisk, type KernelProcess } from "./kernel-process.ts";
import { callProcedure } from "./send.ts";
import type { StageResult, StageSetup } from "./stage.ts";

/** Of the quick run. */
const quick = { kills: 10, lanes: 8 };
/** Bytes that a file may have when the disk is full. */
const fullAt = 1_048_576;
/** Bytes of a disk that is soon full: the state of a new kernel takes a tenth of it. */
const diskBytes = 3_145_728;
/** Writes that a kernel may refuse before it is killed. */
const mostRefused = 200;
/** Writes that are tried on the full disk. */
const mostWrites = 3_000;

/** Answers by their key, as clients have seen them. */
type KnownAnswers = Map<string, string>;

const write = async (
  port: number,
  number: number,
): Promise<{ readonly status: number; readonly text: string } | undefined> => {
  const answer = await callProcedure(port, "selftest/write", { input: { number }, key: `selftest-${number}` });
  return answer && { status: answer.status, text: JSON.stringify(answer.body) };
};

/** A refusal that says that the call may be sent again: a busy machine may give one, and nothing is lost by it. */
const isRefusal = (answer: { readonly text: string } | undefined): boolean =>
  answer === undefined || /"code":"(?:unavailable|resource_exhausted|deadline_exceeded|aborted)"/.test(answer.text);

/** What is not as it was acknowledged. */
const verify = async (kernel: KernelProcess, acknowledged: KnownAnswers): Promise<readonly string[]> => {
  const lost: string[] = [];
  for (const [number, text] of acknowledged) {
    let again = await write(kernel.port, Number(number));
    for (let tries = 0; isRefusal(again) && tries < 20 && !kernel.hasEnded(); tries += 1) {
      await pause(500);
      again = await write(kernel.port, Number(number));
    }
    if (again?.text !== text) lost.push(`write ${number}: acknowledged ${text}, now ${again?.status} ${again?.text}`);
  }
  return lost;
};

export const kills = async ({ scale, start, newFolder }: StageSetup): Promise<StageResult> => {
  const stateDir = newFolder();
  const rounds = quick.kills * scale;
  const problems: string[] = [];
  let total = 0;
  let refusals = 0;
  let next = 1;
  let kernel = await start({ stateDir });
  for (let round = 0; round < rounds; round += 1) {
    const acknowledged: KnownAnswers = new Map();
    const enough = Promise.withResolvers<void>();
    let refused = 0;
    const { port } = kernel;
    const lane = async (): Promise<void> => {
      for (;;) {
        const number = next++;
        const answer = await write(port, number);
        if (answer === undefined) return;
        if (isRefusal(answer)) refused += 1;
        else if (answer.status !== 200) problems.push(`write ${number}: ${answer.status} ${answer.text}`);
        else acknowledged.set(String(number), answer.text);
        if (acknowledged.size >= 20 + (round % 7) || refused > mostRefused) enough.resolve();
      }
    };
    const lanes = Array.from({ length: quick.lanes }, lane);
    await Promise.race([enough.promise, Promise.all(lanes)]);
    await kernel.end("SIGKILL");
    await Promise.all(lanes);
    kernel = await start({ stateDir });
    problems.push(...(await verify(kernel, acknowledged)));
    total += acknowledged.size;
    refusals += refused;
    if (refused > mostRefused) problems.push(`${refused} of ${refused + acknowledged.size} writes were refused`);
  }
  await kernel.end("SIGTERM");
  return {
    name: "kills during writes",
    ok: problems.length === 0,
    figures: `${rounds} SIGKILLs, ${total} acknowledged writes, ${refusals} refused by name, ${problems.length} lost or wrong`,
    problems,
  };
};

export const fullDisk = async ({ start, newFolder }: StageSetup): Promise<StageResult> => {
  const acknowledged: KnownAnswers = new Map();
  const problems: string[] = [];
  const kept = newFolder();
  const isDisk = canMountDisk(newFolder());
  const small = await start(isDisk ? { disk: { bytes: diskBytes, kept } } : { stateDir: kept, fileBytes: fullAt });
  let refused = 0;
  for (let number = 1; number <= mostWrites && refused < 20; number += 1) {
    const answer = await write(small.port, number);
    if (answer === undefined) problems.push(`write ${number}: no answer`);
    else if (answer.status === 200) acknowledged.set(String(number), answer.text);
    else if (/"code":"(?:unavailable|data_loss|resource_exhausted)"/.test(answer.text)) refused += 1;
    else if (!isRefusal(answer)) problems.push(`write ${number}: ${answer.status} ${answer.text}`);
    if (problems.length > 10) break;
  }
  if (refused === 0) problems.push("the disk was never full");
  const live = await fetch(`http://127.0.0.1:${small.port}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!live) problems.push("it does not answer probes on a full disk");
  const code = await small.end("SIGTERM");
  if (code !== 0) problems.push(`it ended with ${code}: ${small.stderr()}`);
  const kernel = await start({ stateDir: kept });
  const lost = await verify(kernel, acknowledged);
  await kernel.end("SIGTERM");
  problems.push(...lost);
  return {
    name: "full disk",
    ok: problems.length === 0,
    figures: `${isDisk ? "a disk of 3 MB" : "files of at most 1 MB"}: ${acknowledged.size} acknowledged writes, then ${refused} refused by name; ${lost.length} lost after the restart`,
    problems,
  };
};
