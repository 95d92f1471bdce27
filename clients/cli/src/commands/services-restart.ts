/** `fairlead services restart`: stops a service of a running kernel, starts it again, and says what has become of it. */
import { setTimeout as delay } from "node:timers/promises";
import { isReason } from "@fairlead/client";
import type { CommandModule } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import { type ServiceStatus, withRunningKernel } from "../kernel/kernel-client.ts";
import { notFoundError } from "../kernel/not-found.ts";

/** Milliseconds that a start may take when nothing else is said: longer than the kernel gives it by default. */
const usualWaitMs = 60_000;
const lookEveryMs = 100;

const servicesRestart: CommandModule = {
  define: (command) => {
    command
      .argument("<service>", "Its id, like weather")
      .option("--no-wait", "Do not wait until it has started")
      .addHelpText(
        "after",
        "\nWaits until it is ready, or its start has failed (exit 4), for --timeout or a minute.\n\nExamples:\n  fairlead services restart weather\n",
      );
  },

  run: (context, { args: [service = ""], flags }) =>
    withRunningKernel(context, async (client) => {
      try {
        const answer = await client.restart({ service });
        if (flags.wait === false) {
          context.print(answer, () => `${service} is restarting`);
          return 0;
        }
      } catch (error) {
        if (isReason(error, client.restart, "unknown_service"))
          throw notFoundError("service", service, error.data.known);
        throw error;
      }
      const find = async () => (await client.services()).services.find(({ id }) => id === service);
      const reached = await untilSettled(find, context);
      if (reached?.state !== "Ready") throw notReady(service, reached);
      context.print({ service, state: reached.state }, () => `${service} is ready`);
      return 0;
    }),
};

/** Its state once it neither stops nor starts any more, or the one that it is in when the time is up. */
const untilSettled = async (
  find: () => Promise<ServiceStatus | undefined>,
  { io, timeoutMs = usualWaitMs }: Context,
): Promise<ServiceStatus | undefined> => {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const status = await find();
    if (status === undefined || isSettled(status) || performance.now() >= until) return status;
    await delay(lookEveryMs, undefined, { signal: io.signal });
  }
};

/** One that waits for a service which is down is not about to become ready. */
const isSettled = ({ state, waitsFor, degraded }: ServiceStatus): boolean =>
  state === "Ready" ||
  state === "Failed" ||
  state === "Backoff" ||
  (state === "Starting" && waitsFor !== null && degraded !== null);

const notReady = (service: string, status: ServiceStatus | undefined): CommandError => {
  const { state = "gone", degraded, waitsFor, nextStartAt } = status ?? {};
  const why = degraded?.why ?? (waitsFor === null || waitsFor === undefined ? undefined : `it waits for ${waitsFor}`);
  const next = nextStartAt === null || nextStartAt === undefined ? "" : `, and is started again at ${nextStartAt}`;
  return new CommandError(
    { code: "unavailable", exit: 4 },
    {
      message: `${service} is not ready: it is in ${state}${next}${why === undefined ? "" : `: ${why}`}`,
      hint: degraded?.fix ?? `see \`fairlead services logs ${service}\``,
      data: { service, state, nextStartAt: nextStartAt ?? null },
    },
  );
};

export default servicesRestart;
