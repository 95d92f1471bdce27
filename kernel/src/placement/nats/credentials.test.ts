/** Who a peer is to a nats-server, and who the server is to a peer: each way over a real one, and each file that is missing, unfit or another's. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, nkeys } from "@nats-io/transport-node";
import { afterAll, describe, expect, it } from "vitest";
import { openKernel } from "../../boot/kernel.ts";
import { readConfig } from "../../config/config.ts";
import { makeAuthority } from "../../testing/certificates.ts";
import { hasNats, startNats } from "../../testing/nats-server.ts";
import networked from "../../testing/networked.fixture.ts";
import { toOptions } from "./connection.ts";
import { readCredentials } from "./credentials.ts";

const folder = mkdtempSync(join(tmpdir(), "fairlead-nats-credentials-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const settingsOf = (nats: object) => {
  const { nats: settings } = readConfig({
    file: { nats: { servers: "nats://127.0.0.1:4222", trust: "account", ...nats } },
  });
  if (settings === undefined) throw new Error("no nats");
  return settings;
};

/** The connection's own name of its user, which the server has checked; throws what it refuses. */
const enter = async (nats: object, env: Readonly<Record<string, string>> = {}): Promise<void> => {
  const options = toOptions(settingsOf(nats), "test", env);
  const connection = await connect({ ...options, reconnect: false, maxReconnectAttempts: 0 });
  try {
    await connection.flush();
  } finally {
    await connection.close();
  }
};

const issuesOf = (nats: object): Readonly<Record<string, string>> => {
  try {
    readCredentials(settingsOf(nats), {});
    return {};
  } catch (error) {
    const { issues } = error as { readonly issues: readonly { path: string; expected: string }[] };
    return Object.fromEntries(issues.map(({ path, expected }) => [path, expected]));
  }
};

const authority = makeAuthority(folder);
const server = authority.issue("server");
const client = authority.issue("client");
const ended = authority.issue("ended", -1);
const stranger = makeAuthority(folder, "stranger").issue("foreign");
const caFile = authority.certFile;

const user = nkeys.createUser();
const seed = Buffer.from(user.getSeed()).toString();

/** What `nsc` writes, with the parts that a server reads. */
const makeOperator = () => {
  const [operator, account] = [nkeys.createOperator(), nkeys.createAccount()];
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const sign = (by: typeof operator, sub: string, nats: object): string => {
    const claims = { iat: 1_700_000_000, iss: by.getPublicKey(), name: "it", sub, nats: { version: 2, ...nats } };
    const jti = createHash("sha256").update(JSON.stringify(claims)).digest("hex");
    const text = `${encode({ typ: "JWT", alg: "ed25519-nkey" })}.${encode({ jti, ...claims })}`;
    return `${text}.${Buffer.from(by.sign(Buffer.from(text))).toString("base64url")}`;
  };
  const limits = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, conn: -1, leaf: -1, wildcards: true };
  const own = account.getPublicKey();
  const accountJwt = sign(operator, own, { type: "account", limits });
  const userJwt = sign(account, user.getPublicKey(), { type: "user", subs: -1, data: -1, payload: -1 });
  return {
    config: `operator: ${sign(operator, operator.getPublicKey(), { type: "operator" })}
resolver: MEMORY
resolver_preload: { ${own}: ${accountJwt} }`,
    credentials: `-----BEGIN NATS USER JWT-----
${userJwt}
------END NATS USER JWT------

************************* IMPORTANT *************************
NKEY Seed printed below can be used to sign and prove identity.

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------
`,
  };
};

const operator = makeOperator();
const credentialsFile = write("user.creds", operator.credentials);
const nkeyFile = write("user.nk", `${seed}\n`);
const passwordFile = write("password", "correct horse\n");
const tls = (more = "") =>
  `tls { cert_file: "${server.certFile}", key_file: "${server.keyFile}", ca_file: "${caFile}"${more} }`;

describe.runIf(hasNats())("a real server", () => {
  it("knows its users by password, token, nkey and JWT, and refuses others", async () => {
    for (const [config, right, wrong] of [
      [
        `authorization { user: ann, password: "correct horse" }`,
        [{ user: "ann", passwordFile }, {}],
        [{ user: "ann", passwordFile: write("other", "battery staple") }, {}],
      ],
      [
        `authorization { user: ann, password: "from a variable" }`,
        [{ user: "ann" }, { FAIRLEAD_NATS_PASSWORD: "from a variable" }],
        [{ user: "ann" }, { FAIRLEAD_NATS_PASSWORD: "another" }],
      ],
      [
        "authorization { token: sesame }",
        [{ tokenFile: write("token", "sesame\n") }, {}],
        [{}, { FAIRLEAD_NATS_TOKEN: "other" }],
      ],
      [
        `authorization { users: [{ nkey: ${user.getPublicKey()} }] }`,
        [{ nkeyFile }, {}],
        [{ nkeyFile: write("other.nk", Buffer.from(nkeys.createUser().getSeed()).toString()) }, {}],
      ],
      [operator.config, [{ credentialsFile }, {}], [{ nkeyFile }, {}]],
    ] as const) {
      const nats = await startNats(config);
      await enter({ servers: nats.url, ...right[0] }, right[1]);
      await expect(enter({ servers: nats.url, ...wrong[0] }, wrong[1])).rejects.toThrow(/authorization/i);
      await nats.stop();
    }
  });

  it("is known by its certificate, and knows a peer by its own", async () => {
    const nats = await startNats(tls(", verify: true"));
    const servers = nats.url.replace("nats:", "tls:");
    await enter({ servers, tls: { caFile, ...client } });
    await expect(enter({ servers, tls: { caFile } })).rejects.toThrow();
    await expect(enter({ servers, tls: { caFile, ...stranger } })).rejects.toThrow();
    await expect(enter({ servers, tls: client })).rejects.toThrow(/certificate/i);
    await nats.stop();
  });

  it("is not given a password in the clear by who asked for TLS", async () => {
    const nats = await startNats(`authorization { user: ann, password: "correct horse" }`);
    const asked = { user: "ann", passwordFile };
    await enter({ servers: nats.url, ...asked });
    for (const more of [{ servers: nats.url.replace("nats:", "tls:") }, { servers: nats.url, tls: {} }])
      await expect(enter({ ...asked, ...more })).rejects.toThrow(/does not support 'tls'/);
    await nats.stop();
  });

  it("carries calls of a fleet over mutual TLS with a JWT, and nothing secret reaches the log", async () => {
    const nats = await startNats(`${operator.config}\n${tls(", verify: true")}`);
    const lines: string[] = [];
    const secret = "a secret of this test alone";
    const open = (name: string, isWorker: boolean) =>
      openKernel({
        services: [networked],
        flags: { stateDir: join(folder, name) },
        config: {
          nats: { servers: nats.url.replace("nats:", "tls:"), credentialsFile, name, tls: { caFile, ...client } },
        },
        env: { FAIRLEAD_NATS_SECRET: secret },
        log: (level, message, fields) => void lines.push(JSON.stringify({ level, message, fields })),
        isWorker,
      });
    const [front, worker] = await Promise.all([open("front", false), open("worker", true)]);
    await Promise.all([front.started(), worker.offer()]);
    const asked = { day: "2026-01-01T00:00:00.000Z", name: "four" };
    // The server may hear a call before it has heard what the worker listens to.
    await expect
      .poll(() => front.connect().call("networked.who", asked))
      .toMatchObject({ ok: true, value: { node: expect.stringContaining("worker") } });
    await Promise.all([front.close(), worker.close()]);
    const other = await openKernel({
      services: [networked],
      flags: { stateDir: join(folder, "other") },
      config: { nats: { servers: nats.url.replace("nats:", "tls:"), nkeyFile, tls: { caFile, ...client } } },
      env: { FAIRLEAD_NATS_SECRET: secret },
      log: (level, message, fields) => void lines.push(JSON.stringify({ level, message, fields })),
      isWorker: true,
    });
    await expect(other.offer()).rejects.toMatchObject({ code: "unavailable" });
    await other.close();
    await nats.stop();
    expect(lines.join("\n")).toMatch(/cannot be reached.*authorization/i);
    for (const text of [secret, seed, operator.credentials.split("\n")[1] ?? ""])
      expect(lines.join("\n")).not.toContain(text);
  });
});

const wanted = /```\n(authorization \{[\s\S]*?\n\})\n```/;

describe.runIf(hasNats())("the rights of docs/nats.md", () => {
  it("are all that a kernel and a worker need", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/nats.md"), "utf8");
    const config = wanted.exec(page)?.[1]?.replaceAll(/\$(?:KERNEL|WORKER)_PASSWORD/g, '"p"') ?? "";
    const nats = await startNats(config);
    const lines: string[] = [];
    const open = (user: string, more: object) =>
      openKernel({
        services: [networked],
        flags: { stateDir: join(folder, `rights-${user}`) },
        config: { nats: { servers: nats.url, user, places: 1, ...more } },
        env: { FAIRLEAD_NATS_SECRET: "a secret of this test alone", FAIRLEAD_NATS_PASSWORD: "p" },
        log: (level, message, fields) => {
          if (level !== "info") lines.push(`${message} ${JSON.stringify(fields)}`);
        },
        isWorker: user === "worker",
      });
    const [front, worker] = await Promise.all([open("kernel", {}), open("worker", { place: 1 })]);
    await Promise.all([front.started(), worker.offer()]);
    expect(await front.connect().call("networked.add", { session: "s" })).toMatchObject({ ok: true });
    expect(await front.connect().call("networked.who", { day: "2026-01-01T00:00:00.000Z", name: "n" })).toMatchObject({
      ok: true,
    });
    expect(await front.connect().call("kernel.nodes", {})).toMatchObject({
      ok: true,
      value: {
        nodes: [
          { role: "kernel", state: "Ready" },
          { role: "worker", state: "Ready", place: "1/1" },
        ],
      },
    });
    await Promise.all([front.close(), worker.close()]);
    await nats.stop();
    expect(lines).toEqual([]);
  });
});

describe("settings", () => {
  const missing = join(folder, "none");

  it("are named where a file is missing", async () => {
    const readable = "a file that this user can read";
    expect(issuesOf({ credentialsFile: missing })).toEqual({ "nats.credentialsFile": readable });
    expect(issuesOf({ nkeyFile: missing })).toEqual({ "nats.nkeyFile": readable });
    expect(issuesOf({ tokenFile: missing })).toEqual({ "nats.tokenFile": readable });
    expect(issuesOf({ user: "ann", passwordFile: missing })).toEqual({ "nats.passwordFile": readable });
    const all = { caFile: missing, certFile: missing, keyFile: missing };
    expect(issuesOf({ tls: all })).toEqual({
      "nats.tls.caFile": readable,
      "nats.tls.certFile": readable,
      "nats.tls.keyFile": readable,
    });
    const opened = openKernel({
      services: [],
      config: { nats: { servers: "nats://127.0.0.1:4222", trust: "account", tls: { caFile: missing } } },
      flags: { stateDir: join(folder, "state") },
      env: {},
    });
    await expect(opened).rejects.toMatchObject({ code: "invalid_argument", issues: [{ path: "nats.tls.caFile" }] });
  });

  it("are named where a file holds something else", () => {
    const other = write("prose", "a seed that is none\n");
    expect(Object.keys(issuesOf({ credentialsFile: other }))).toEqual(["nats.credentialsFile"]);
    expect(Object.keys(issuesOf({ nkeyFile: credentialsFile }))).toEqual(["nats.nkeyFile"]);
    expect(Object.keys(issuesOf({ tls: { caFile: other } }))).toEqual(["nats.tls.caFile"]);
    expect(Object.keys(issuesOf({ tls: { ...client, keyFile: server.keyFile } }))).toEqual(["nats.tls.keyFile"]);
    expect(Object.keys(issuesOf({ tls: { certFile: client.certFile } }))).toEqual(["nats.tls.keyFile"]);
    expect(Object.keys(issuesOf({ tls: ended }))).toEqual(["nats.tls.certFile"]);
    for (const text of [seed, "a seed that is none"])
      expect(JSON.stringify(issuesOf({ nkeyFile: credentialsFile, credentialsFile: other }))).not.toContain(text);
  });

  it("say who this is in one way, and all of it", () => {
    expect(Object.keys(issuesOf({ nkeyFile, credentialsFile }))).toEqual(["nats.nkeyFile"]);
    expect(Object.keys(issuesOf({ user: "ann" }))).toEqual(["nats.passwordFile"]);
    expect(Object.keys(issuesOf({ passwordFile }))).toEqual(["nats.user"]);
  });

  it("are read again for each connection, and what a file held last is kept while it is replaced", async () => {
    const path = write("turning", "first");
    const { authenticator } = readCredentials(settingsOf({ user: "ann", passwordFile: path }), {});
    const password = () => Reflect.get(Object(authenticator[0]?.()), "pass");
    expect(password()).toBe("first");
    writeFileSync(path, "second\n");
    expect(password()).toBe("second");
    rmSync(path);
    expect(password()).toBe("second");
  });
});
