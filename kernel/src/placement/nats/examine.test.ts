/** What `fairlead doctor` says of real nats-servers: one that is as it should be, and others with one fault each. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../config/config.ts";
import type { OutsideView } from "../../observe/outside-view.ts";
import { makeAuthority } from "../../testing/certificates.ts";
import { hasNats, startNats } from "../../testing/nats-server.ts";
import { examineNats } from "./examine.ts";

const folder = mkdtempSync(join(tmpdir(), "fairlead-nats-doctor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const examine = (nats: object): Promise<OutsideView> => {
  const { nats: settings } = readConfig({ file: { nats } });
  if (settings === undefined) throw new Error("no nats");
  return examineNats(settings, { FAIRLEAD_NATS_SECRET: "a secret of this test alone" });
};

/** Without what depends on how busy this machine is. */
const problems = ({ problems: all }: OutsideView) => all.filter(({ fix }) => fix !== "run it near the kernels");

describe.runIf(hasNats())("a nats-server", () => {
  it("is well with its version, its limit and its certificate, until that ends soon", async () => {
    const authority = makeAuthority(folder);
    const own = authority.issue("server", 90);
    const nats = await startNats(
      `tls { cert_file: "${own.certFile}", key_file: "${own.keyFile}", ca_file: "${authority.certFile}", verify: true }`,
    );
    const look = (name: string, days: number) =>
      examine({ servers: nats.url, tls: { caFile: authority.certFile, ...authority.issue(name, days) } });
    const view = await look("long", 90);
    expect(view.detail).toMatch(/^nats-server 2\.\d+\.\d+ at .* over TLS, answers in \d+ ms, carries 1048576 bytes/);
    expect(problems(view)).toEqual([]);
    expect(problems(await look("short", 2))).toEqual([
      { isFatal: false, detail: expect.stringMatching(/certFile ends on \d/), fix: expect.stringMatching(/renew it/) },
    ]);
    await nats.stop();
  });

  it("lacks rights that a kernel, or a worker, needs", async () => {
    const nats = await startNats(`authorization { users: [
      { user: caller, password: p, permissions: { publish: ["fairlead.>", "$SRV.>"], subscribe: ["_INBOX.>"] } }
      { user: worker, password: p, permissions: { publish: ["_INBOX.>"], subscribe: ["fairlead.>", "$SRV.>"] } }
    ] }`);
    const passwordFile = join(folder, "password");
    writeFileSync(passwordFile, "p");
    const caller = problems(await examine({ servers: nats.url, user: "caller", passwordFile }));
    expect(caller.map(({ isFatal, detail }) => [isFatal, detail])).toEqual([
      [false, "this user may not subscribe to fairlead.call.>, which a worker has to"],
      [false, "this user may not subscribe to fairlead.control.>, which a worker has to"],
      [false, "this user may not publish to _INBOX.>, which a worker has to"],
    ]);
    const worker = problems(await examine({ servers: nats.url, user: "worker", passwordFile }));
    expect(worker.map(({ isFatal, detail }) => [isFatal, detail])).toEqual([
      [true, "this user may not publish to fairlead.call.>, which a kernel that calls has to"],
      [true, "this user may not publish to fairlead.control.>, which a kernel that calls has to"],
      [true, "this user may not subscribe to _INBOX.>, which a kernel that calls has to"],
    ]);
    await nats.stop();
  });

  it("carries little, and another of the list is down", async () => {
    const [nats, down] = [await startNats("max_payload: 65536"), await startNats()];
    await down.stop();
    expect(problems(await examine({ servers: [down.url, nats.url] }))).toEqual([
      {
        isFatal: false,
        detail: expect.stringContaining(`${down.url} of the list cannot be reached`),
        fix: expect.any(String),
      },
      { isFatal: false, detail: expect.stringContaining("it carries 65536 bytes"), fix: expect.any(String) },
    ]);
    await nats.stop();
    await expect(examine({ servers: [nats.url] })).rejects.toMatchObject({ code: "unavailable" });
  });
});
