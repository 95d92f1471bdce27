/** A page that is rendered for each request, and calls a service in process. */
import { openRouter } from "../fairlead/next.ts";
import { createContext } from "../fairlead/router.ts";

export const dynamic = "force-dynamic";

export default async function Page() {
  const caller = (await openRouter()).createCaller(createContext("ada"));
  const { total } = await caller.services.rules.roll({ notation: "2d6", dice: { values: [1, 2] } });
  return <p id="total">{total}</p>;
}
