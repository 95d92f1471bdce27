/** The CPU time of a running kernel's process, from what it says of itself at `/metrics`. */
import { request } from "node:http";
import { request as tlsRequest } from "node:https";
import type { KernelAddress } from "../kernel/connection.ts";

const timeoutMs = 5_000;
const longest = 16_777_216;

/** Milliseconds in a page of metrics. */
const parseCpu = (metrics: string): number | undefined => {
  const [, seconds] = /^process_cpu_seconds_total (\d{1,12}(?:\.\d{1,12})?)$/m.exec(metrics) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
};

/** Milliseconds so far; `undefined` where the kernel does not say, or not to this caller. */
export const readServerCpu = ({ url, token, socket }: KernelAddress): Promise<number | undefined> =>
  new Promise((resolve) => {
    const { hostname, port, protocol, pathname, host } = new URL(url);
    const sending = (protocol === "https:" ? tlsRequest : request)(
      {
        ...(socket === undefined ? { hostname, port } : { socketPath: socket }),
        path: `${pathname.replace(/\/$/, "")}/metrics`,
        headers: { host, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        signal: AbortSignal.timeout(timeoutMs),
        agent: false,
      },
      (incoming) => {
        let text = "";
        incoming
          .setEncoding("utf8")
          .on("data", (part: string) => {
            text += part;
            if (text.length > longest) incoming.destroy();
          })
          .on("end", () => resolve(parseCpu(text)))
          .on("error", () => resolve(undefined));
      },
    );
    sending.on("error", () => resolve(undefined)).end();
  });
