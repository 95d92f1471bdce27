/** The procedures of the connections service: each name with the file that handles it. */
import type connections from "@fairlead/contracts/connections";
import type { Handlers } from "@fairlead/kernel/service";
import { approve, quarantine } from "./approval.ts";
import { callTool } from "./call-tool.ts";
import type { HandlerContext } from "./context.ts";
import { applyPlan, plan } from "./declared.ts";
import { events } from "./events.ts";
import { beginLogin, finishLogin } from "./login.ts";
import { add, list, reconnect, remove, status } from "./membership.ts";
import { save } from "./save.ts";
import { disable, enable, listDisabled } from "./switches.ts";
import { expect, tools } from "./tools.ts";

export const createHandlers = (context: HandlerContext): Handlers<typeof connections> => ({
  add: add(context),
  remove: remove(context),
  status: status(context),
  list: list(context),
  reconnect: reconnect(context),
  beginLogin: beginLogin(context),
  finishLogin: finishLogin(context),
  plan: plan(context),
  applyPlan: applyPlan(context),
  enable: enable(context),
  disable: disable(context),
  listDisabled: listDisabled(context),
  save: save(context),
  approve: approve(context),
  quarantine: quarantine(context),
  tools: tools(context),
  expect: expect(context),
  callTool: callTool(context),
  events: events(context),
});
