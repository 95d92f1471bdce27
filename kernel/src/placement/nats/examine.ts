/** What `fairlead doctor` finds of NATS: whether it is reached with these credentials, its version and limits, and how long it takes to answer. It has no clock to ask. */
import { connect } from "@nats-io/transport-node";
import type { NatsSettings } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import type { OutsideView } from "../../observe/outside-view.ts";
import { fleetSecret, toOptions, unreachable } from "./connection.ts";

/** Milliseconds for an answer above which every call over it is felt. */
const slowMs = 20;

/** Throws a `FairleadError` where it cannot be reached or refuses these credentials. */
export const examineNats = async (settings: NatsSettings, env: Environment): Promise<OutsideView> => {
  fleetSecret(settings, env);
  const servers = [settings.servers ?? []].flat().join(", ");
  const options = { ...toOptions(settings, "fairlead doctor"), reconnect: false, maxReconnectAttempts: 0 };
  const connection = await connect(options).catch((cause: unknown) => {
    throw unreachable(servers, cause);
  });
  try {
    await connection.rtt();
    const milliseconds = await connection.rtt();
    const { version = "", max_payload: most = 0, tls_required: isSealed = false } = connection.info ?? {};
    return {
      detail: `nats-server ${version} at ${connection.getServer()}${isSealed ? " over TLS" : ""}, answers in ${milliseconds} ms, carries ${most} bytes in a message`,
      problems:
        milliseconds > slowMs
          ? [{ isFatal: false, detail: `it takes ${milliseconds} ms to answer`, fix: "run it near the kernels" }]
          : [],
    };
  } finally {
    await connection.close();
  }
};
