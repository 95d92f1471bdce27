/** What a call of a fight came to, in sentences for a log. Pure. Names in them are texts of callers. */
import type { ActionResult, EncounterLog, EncounterView } from "@fairlead/contracts/rules";

interface LoggedCall {
  readonly type: EncounterLog["entries"][number]["type"];
  /** Who acted; `undefined` where no creature did. */
  readonly actor: string | undefined;
  readonly answer: EncounterView | ActionResult;
}

export const describeCall = ({ type, actor, answer }: LoggedCall): readonly string[] => {
  if ("checkType" in answer) return [...describeAction(answer, actor), ...(answer.encounter?.events ?? [])];
  return [...describeView(type, answer), ...answer.events];
};

const describeAction = (
  { checkType, notes, noCheck, impossible }: ActionResult,
  actor: string | undefined,
): readonly string[] => {
  const by = actor === undefined ? "" : `${actor}: `;
  return [noCheck === true || impossible === true ? `${by}${notes}` : `${by}${checkType}, ${notes}`];
};

const describeView = (type: LoggedCall["type"], { creatures, turn, round }: EncounterView): readonly string[] => {
  const current = creatures.find(({ id }) => id === turn)?.name ?? turn;
  switch (type) {
    case "start":
      return [`The fight begins: ${creatures.map(({ name, initiative }) => `${name} ${initiative}`).join(", ")}`];
    case "end_turn":
      return [`Round ${round}: the turn of ${current}`];
    case "undo":
      return [`Taken back; it is the turn of ${current}`];
    case "end":
      return ["The fight is over"];
    case "act":
    case "rest":
      return [];
  }
};
