import { describe, expect, test } from "vitest";
import { localPrincipal } from "../call/call.ts";
import { sha256, type Token } from "../config/tokens/token.ts";
import { bearer } from "../server/bearer.ts";
import { BrowserSessions, cookieName, linkLifeMs, sessionLifeMs } from "./browser-sessions.ts";

const token = (name: string): Token => ({ name, sha256: sha256(name), access: ["read"], perSecond: 1, concurrent: 1 });

const setUp = () => {
  const at = { tokens: [token("ann")] as readonly Token[], now: 0 };
  const sessions = new BrowserSessions(() => at.now);
  const authenticate = sessions.authenticate(
    bearer(
      () => at.tokens,
      () => at.now,
    ),
  );
  const ann = { authorization: "Bearer ann", authenticate };
  return { at, sessions, authenticate, ann };
};

describe("a session", () => {
  test("is whoever opened it, and ends with their token", () => {
    const { at, sessions, authenticate, ann } = setUp();
    const { secret } = sessions.open(ann);
    expect(authenticate(`Session ${secret}`)?.id).toBe("ann");
    expect(authenticate(`Session ${secret}x`)).toBe(undefined);
    at.tokens = [token("bob")];
    expect(authenticate(`Session ${secret}`)).toBe(undefined);
  });

  test("that was opened while there were no tokens ends with the first one", () => {
    const { at, sessions } = setUp();
    at.tokens = [];
    const authenticate = sessions.authenticate(
      bearer(
        () => at.tokens,
        () => at.now,
      ),
    );
    const { secret } = sessions.open({ authorization: undefined, authenticate });
    expect(authenticate(`Session ${secret}`)).toBe(localPrincipal);
    at.tokens = [token("ann")];
    expect(authenticate(`Session ${secret}`)).toBe(undefined);
  });

  test("lasts for its time, and until it is closed", () => {
    const { at, sessions, authenticate, ann } = setUp();
    const first = sessions.open(ann);
    const second = sessions.open(ann);
    sessions.close(`Session ${first.secret}`);
    sessions.close("Bearer ann");
    expect(authenticate(`Session ${first.secret}`)).toBe(undefined);
    expect(authenticate(`Session ${second.secret}`)?.id).toBe("ann");
    at.now = sessionLifeMs;
    expect(authenticate(`Session ${second.secret}`)).toBe(undefined);
  });

  test("that another one opened ends with that one", () => {
    const { sessions, authenticate, ann } = setUp();
    const first = sessions.open(ann);
    const authorization = `Session ${first.secret}`;
    const second = sessions.open({ authorization, authenticate });
    expect(authenticate(`Session ${second.secret}`)?.id).toBe("ann");
    sessions.close(authorization);
    expect(authenticate(`Session ${second.secret}`)).toBe(undefined);
  });

  test("is one of many: the principal's oldest goes for one more than they may have, and no other's", () => {
    const { at, sessions, authenticate, ann } = setUp();
    at.tokens = [token("ann"), token("bob")];
    const other = sessions.open({ authorization: "Bearer bob", authenticate });
    const first = sessions.open(ann);
    // Also those that another session of theirs opens.
    const again = { authorization: `Session ${sessions.open(ann).secret}`, authenticate };
    const all = Array.from({ length: 100 }, (_, at) => sessions.open(at === 0 ? again : ann).secret);
    const alive = all.filter((secret) => authenticate(`Session ${secret}`) !== undefined);
    expect(alive).toEqual(all.slice(-64));
    expect(authenticate(`Session ${first.secret}`)).toBe(undefined);
    expect(authenticate(`Session ${other.secret}`)?.id).toBe("bob");
  });
});

test("a link opens one session, for some minutes", () => {
  const { at, sessions, ann } = setUp();
  const first = sessions.createLink(ann);
  expect(sessions.redeem(first.secret)).toBe(ann);
  expect(sessions.redeem(first.secret)).toBe(undefined);
  const second = sessions.createLink(ann);
  at.now = linkLifeMs;
  expect(sessions.redeem(second.secret)).toBe(undefined);
});

test("the cookie of this port counts, beside the header of a page", () => {
  const { sessions, ann } = setUp();
  const { secret } = sessions.open(ann);
  const cookie = `a=b; ${cookieName(7)}=${secret}; ${cookieName(77)}=two`;
  expect(sessions.authorize({ cookie, "fairlead-console": "1" }, 7)).toBe(`Session ${secret}`);
  expect(sessions.authorize({ cookie, "fairlead-console": "1" }, 77)).toBe(undefined);
  expect(sessions.authorize({ cookie }, 7)).toBe(undefined);
  expect(sessions.authorize({ cookie, "fairlead-console": "1" }, 8)).toBe(undefined);
});
