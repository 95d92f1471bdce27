/** The procedures of the kernel's contract for tokens. Their code is loaded with the first call: a kernel whose tokens do not change needs none of it. */
import type { kernel } from "@fairlead/contracts/kernel";
import { loadOnce } from "../call/load-once.ts";
import type { Access, AccessRefused, AccessSettings } from "../config/tokens/access.ts";
import type { Handlers } from "../service/handler.ts";

type AccessHandlers = Pick<Handlers<typeof kernel>, "listTokens" | "createToken" | "rotateToken" | "revokeToken">;

/** `services`: ids of those that a token can be for. */
export const accessHandlers = (settings: AccessSettings, services: () => readonly string[]): AccessHandlers => {
  const load = loadOnce(() => import("../config/tokens/access.ts").then(({ openAccess }) => openAccess(settings)));
  const use = <T>(call: object, change: (access: Access) => T): Promise<T> =>
    load()
      .then(change)
      .catch((cause: unknown) => {
        throw toDeclared(call, cause);
      });
  return {
    listTokens: (_, call) => use(call, (access) => access.list()),
    createToken: (input, call) => {
      const known = services();
      if (input.services?.some((id) => !known.includes(id)) === true)
        throw call.fail("unknown_service", { message: `there are ${known.join(", ")}` }, { known: [...known] });
      return use(call, (access) => access.create(input, call.principal.id));
    },
    rotateToken: (input, call) => use(call, (access) => access.rotate(input, call.principal.id)),
    revokeToken: (input, call) => use(call, (access) => access.revoke(input, call.principal.id)),
  };
};

/** What a change is refused for is what the contract declares. */
const toDeclared = (call: object, cause: unknown): unknown => {
  if (!(cause instanceof Error && cause.name === "AccessRefused")) return cause;
  const { problem, known, message } = cause as AccessRefused;
  const { fail } = call as { fail(reason: string, text: { readonly message: string }, data?: unknown): Error };
  return Reflect.apply(fail, call, [
    problem,
    { message },
    problem === "unknown_token" ? { known: [...known] } : undefined,
  ]);
};
