import { expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { refuseUnknownServices } from "./known-services.ts";

const token = (services: readonly string[]) => ({ name: "app", sha256: "0".repeat(64), services });

const refusal = (file: object): unknown => {
  try {
    refuseUnknownServices(readConfig({ file }), ["inspector", "rules"]);
    return undefined;
  } catch (error) {
    return error;
  }
};

it("takes the services there are, and the kernel itself where a caller may be allowed it", () => {
  expect(
    refusal({ services: { rules: {} }, only: ["inspector"], tokens: [token(["rules", "kernel"])] }),
  ).toBeUndefined();
});

it.each([
  ["a section", { services: { inspectr: {} } }, "services.inspectr", "did you mean inspector?"],
  ["a section of the kernel's own service", { services: { kernel: {} } }, "services.kernel", 'remove "kernel"'],
  ["a service to run", { only: ["rules", "ruels"] }, "only[1]", "did you mean rules?"],
  ["a token's service", { tokens: [token(["rule"])] }, "tokens[0].services[0]", "did you mean rules?"],
])("refuses %s that is not there, with its path and the nearest id", (_, file, path, fix) => {
  expect(refusal(file)).toMatchObject({ code: "invalid_argument", issues: [{ path, fix }] });
});
