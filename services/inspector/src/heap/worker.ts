/** A thread that takes one heap snapshot of a program and reads it: neither the snapshot's text nor the work on it is in the kernel's own thread. */
import { parentPort, workerData } from "node:worker_threads";
import { DebuggerSession } from "../remote/debugger-session.ts";
import { readHeapGraph } from "./heap-graph.ts";
import type { HeapAnswer, HeapStart } from "./heap-message.ts";
import { reportHeap } from "./heap-report.ts";
import { SnapshotReader } from "./snapshot-reader.ts";

/** Milliseconds that a snapshot may take. */
const snapshotMs = 120_000;

const answer = async ({ address, mostBytes, wanted }: HeapStart): Promise<HeapAnswer> => {
  const session = new DebuggerSession({ address, timeoutMs: snapshotMs }, () => undefined);
  try {
    const heapBytes = Number(await session.data("process.memoryUsage().heapUsed"));
    if (heapBytes > mostBytes) return { kind: "large", heapBytes };
    const began = performance.now();
    const parts = await session.heapSnapshot(snapshotMs);
    const stoppedMs = Math.ceil(performance.now() - began);
    const reader = new SnapshotReader();
    for (const part of parts) reader.write(part);
    return { kind: "report", heapBytes, stoppedMs, report: reportHeap(readHeapGraph(reader.end()), wanted) };
  } finally {
    session.lose("the snapshot was taken");
  }
};

// The named boundary: what `heap.ts` passes.
parentPort?.postMessage(await answer(workerData as HeapStart));
