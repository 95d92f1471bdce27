/** The actions of the table by name. Each is pure: a turn in, a turn out. */
import * as scout from "./action-scout.ts";
import * as session from "./action-session.ts";
import * as ticket from "./action-ticket.ts";
import * as work from "./action-work.ts";
import type { Turn } from "./turn.ts";

export const actions = {
  absorb: session.absorb,
  abandonTicket: ticket.abandonTicket,
  acceptResult: work.acceptResult,
  approvePlan: work.approvePlan,
  askExecute: work.askExecute,
  askPlan: work.askPlan,
  askPr: work.askPr,
  askQa: work.askQa,
  askReview: scout.askReview,
  askScout: scout.askScout,
  blockOnPlans: ticket.blockOnPlans,
  blockOnQa: ticket.blockOnQa,
  blockOnRisk: ticket.blockOnRisk,
  blockOnScope: ticket.blockOnScope,
  blockOnSpindle: ticket.blockOnSpindle,
  blockOnTicketBudget: ticket.blockOnTicketBudget,
  cancel: session.cancel,
  completeTicket: ticket.completeTicket,
  countStep: session.countStep,
  countTicketStep: session.countTicketStep,
  createTickets: scout.createTickets,
  endBarrenCycle: scout.endBarrenCycle,
  endSession: session.endSession,
  failTicket: ticket.failTicket,
  freshCycle: scout.freshCycle,
  holdForReview: scout.holdForReview,
  note: session.note,
  openScout: scout.openScout,
  queueHint: session.queueHint,
  recordCommand: work.recordCommand,
  recordPr: work.recordPr,
  recordQaFailed: work.recordQaFailed,
  recordQaPassed: work.recordQaPassed,
  recordResult: work.recordResult,
  recordScout: scout.recordScout,
  recoverFromSpindle: ticket.recoverFromSpindle,
  refuseOtherTicket: session.refuseOtherTicket,
  refuseResult: work.refuseResult,
  refuseUnknownWorker: session.refuseUnknownWorker,
  rejectPlan: work.rejectPlan,
  retryScout: scout.retryScout,
  stopOnBudget: session.stopOnBudget,
  stopOnPrLimit: session.stopOnPrLimit,
  stopWhenFinished: session.stopWhenFinished,
  stopWithoutWork: session.stopWithoutWork,
  takeBatch: ticket.takeBatch,
  takeTicket: ticket.takeTicket,
  takeWorkers: session.takeWorkers,
} as const satisfies Readonly<Record<string, (turn: Turn) => Turn>>;

export type ActionName = keyof typeof actions;
