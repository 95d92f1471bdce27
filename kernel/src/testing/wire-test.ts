/** A kernel on a socket for each test of a file that starts one; closed after it. */
import { afterEach } from "vitest";
import { type Fixture, type FixtureOptions, startFixture } from "./wire-fixture.ts";

/** To be called at the top of a test file. */
export const fixturePerTest = (): ((options?: FixtureOptions) => Promise<Fixture>) => {
  let fixture: Fixture | undefined;
  afterEach(async () => {
    await fixture?.close();
    fixture = undefined;
  });
  return async (options = {}) => {
    fixture = await startFixture(options);
    return fixture;
  };
};
