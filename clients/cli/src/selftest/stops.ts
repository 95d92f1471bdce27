/** Kernels that are stopped while connections send to them: a request that the kernel has read is answered. And services that crash. */

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Children, findLostDescriptors, type KernelProcess } from "./kernel-process.ts";
import { canFindMarked, endMarked } from "./marked-processes.ts";
import { callProcedure, openSocket } from "./send.ts";
import { each, type StageResult, type StageSetup } from "./stage.ts";

/** Of the quick run. */
const quick = { stops: 3, lanes: 20, crashes: 4, children: 100 };

interface LaneResult {
  readonly answered: number;
  /** The connection ended in the middle of an answer. */
  readonly torn: boolean;
}

/** Sends one request after the other on one connection until that ends. */
const runLane = (port: number, onAnswer: () => void): Promise<LaneResult> =>
  new Promise((resolve) => {
    const request = `GET /livez HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    const socket = openSocket(port);
    let answered = 0;
    let rest = "";
    socket.setEncoding("latin1");
    socket.once("connect", () => socket.write(request));
    socket.on("data", (part: string) => {
      rest += part;
      for (let end = findEnd(rest); end !== undefined; end = findEnd(rest)) {
        const isLast = /^connection: close/im.test(rest.slice(0, end));
        rest = rest.slice(end);
        answered += 1;
        onAnswer();
        if (!isLast) socket.write(request);
      }
    });
    socket.once("close", () => resolve({ answered, torn: rest.length > 0 }));
  });

/** Where the first whole answer ends. */
const findEnd = (text: string): number | undefined => {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const end = head + 4 + Number(/^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  return end <= text.length ? end : undefined;
};

export const stops = async ({ scale, start }: StageSetup): Promise<StageResult> => {
  const rounds = quick.stops * scale;
  let answered = 0;
  const problems: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const kernel = await start();
    const warm = Promise.withResolvers<void>();
    let first = 0;
    const onAnswer = (): void => {
      first += 1;
      if (first === quick.lanes * 5) warm.resolve();
    };
    const lanes = Promise.all(Array.from({ length: quick.lanes }, () => runLane(kernel.port, onAnswer)));
    await Promise.race([warm.promise, lanes]);
    const code = await kernel.end("SIGTERM");
    for (const lane of await lanes) {
      answered += lane.answered;
      if (lane.torn) problems.push("an answer was cut off");
    }
    if (code !== 0) problems.push(`it ended with ${code}: ${kernel.stderr()}`);
  }
  return {
    name: "stops under load",
    ok: problems.length === 0,
    figures: `${rounds} SIGTERMs under ${quick.lanes} connections, ${answered} requests answered, ${problems.length} problems`,
    problems,
  };
};

/** Whether the service answers again, within three minutes. */
const isBack = async (kernel: KernelProcess): Promise<boolean> => {
  for (const end = performance.now() + 180_000; performance.now() < end && !kernel.hasEnded(); ) {
    const answer = await callProcedure(kernel.port, "selftest/echo", { input: { value: 1 } });
    if (answer?.status === 200) return true;
    await pause(20);
  }
  return false;
};

export const crashes = async ({ scale, start }: StageSetup): Promise<StageResult> => {
  const rounds = quick.crashes * scale;
  const kernel = await start();
  const before = kernel.descriptors();
  const problems: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // It ends with its service; the next call waits for the start.
    const crashed = await callProcedure(kernel.port, "selftest/crash", { input: {} });
    if (crashed === undefined || crashed.status < 500) problems.push(`crash ${round}: ${crashed?.status}`);
    if (!(await isBack(kernel))) problems.push(`after crash ${round} the service did not come back`);
  }
  const lost = await findLostDescriptors(kernel, before);
  if (lost !== undefined) problems.push(lost);
  await kernel.end("SIGTERM");
  return {
    name: "crashes of a service",
    ok: problems.length === 0,
    figures: `${rounds} crashes, ${problems.length} problems`,
    problems,
  };
};

/** Child processes that the user's services may have started for themselves meanwhile. */
const ownChildren = 5;

/** Looks again until there are so few and no zombies, or for a minute: one that has just ended is asked after in a moment. */
const waitForChildren = async (kernel: KernelProcess, most: number): Promise<Children> => {
  const end = performance.now() + 60_000;
  let found = kernel.children();
  while ((found.zombies > 0 || found.live > most) && performance.now() < end && !kernel.hasEnded()) {
    await pause(100);
    found = kernel.children();
  }
  return found;
};

/** One of so many children leaves a process in a session of its own, where there is `setsid`. */
const leavingShare = 4;

/**
 * Child processes of a service that are killed, several at once: each end is seen, no descriptors are lost, and nothing is left of what they had
 * started; where the system gives no control groups, nothing but what had left its group.
 */
export const childCrashes = async ({ scale, start }: StageSetup): Promise<StageResult> => {
  const rounds = quick.children * scale;
  const kernel = await start();
  const problems: string[] = [];
  const marks = { stays: randomUUID(), leaves: randomUUID() };
  let isHeld = true;
  const crash = async (at: number): Promise<void> => {
    const leaves = canFindMarked() && at % leavingShare === 1;
    const input = { leaves, mark: leaves ? marks.leaves : marks.stays };
    const answer = await callProcedure(kernel.port, "selftest/child", { input });
    const text = JSON.stringify(answer?.body) ?? "";
    if (answer?.status !== 200 || !text.includes("SIGKILL")) problems.push(`child ${at}: ${answer?.status} ${text}`);
    else if (!text.includes("cgroup")) isHeld = false;
  };
  // What the first one opens stays.
  await crash(0);
  const [before, family] = [kernel.descriptors(), kernel.children()];
  await each(rounds, { atOnce: 4, work: crash });
  const most = family.live + ownChildren;
  const left = await waitForChildren(kernel, most);
  if (left.zombies > 0) problems.push(`${left.zombies} children are zombies`);
  if (left.live > most) problems.push(`${left.live} children live, ${family.live} did before`);
  const lost = await findLostDescriptors(kernel, before);
  if (lost !== undefined) problems.push(lost);
  const [stayed, gone] = [await endMarked(marks.stays, false), await endMarked(marks.leaves, !isHeld)];
  if (stayed > 0) problems.push(`${stayed} processes of theirs were left`);
  if (gone > 0 && isHeld) problems.push(`${gone} processes were left that had begun a session of their own`);
  const code = await kernel.end("SIGTERM");
  if (code !== 0) problems.push(`it ended with ${code}: ${kernel.stderr()}`);
  const beyond = isHeld
    ? ""
    : `, ${gone} left that had begun a session of their own: this system gives no control groups`;
  return {
    name: "crashes of children",
    ok: problems.length === 0,
    figures: `${rounds} child processes killed, ${left.zombies} zombies${beyond}, ${problems.length} problems`,
    problems,
  };
};
