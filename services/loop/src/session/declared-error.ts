/** The loop contract's declared errors, made where they happen. Codes and hints are those of the contract. */
import { type ErrorDeclaration, FairleadError, type Issue } from "@fairlead/contracts";
import { loop } from "@fairlead/contracts/loop";

const { startSession, advance, approvePlan, completeTicket, driveAgent, gitSetup, readRunFile, resumeSession } =
  loop.procedures;

type ErrorReason =
  | keyof NonNullable<typeof startSession.errors>
  | keyof NonNullable<typeof advance.errors>
  | keyof NonNullable<typeof approvePlan.errors>
  | keyof NonNullable<typeof completeTicket.errors>
  | keyof NonNullable<typeof driveAgent.errors>
  | keyof NonNullable<typeof gitSetup.errors>
  | keyof NonNullable<typeof resumeSession.errors>
  | keyof NonNullable<typeof readRunFile.errors>;

const declared: Partial<Record<ErrorReason, ErrorDeclaration>> = {
  ...startSession.errors,
  ...advance.errors,
  ...approvePlan.errors,
  ...completeTicket.errors,
  ...driveAgent.errors,
  ...gitSetup.errors,
  ...resumeSession.errors,
  ...readRunFile.errors,
};

/** An error that the contract declares under this reason. */
export const declaredError = (reason: ErrorReason, message: string, data?: unknown): FairleadError => {
  const declaration = declared[reason];
  return new FairleadError({
    code: declaration?.code ?? "internal",
    reason,
    message,
    ...(declaration?.hint !== undefined && { hint: declaration.hint }),
    ...(data !== undefined && { data }),
  });
};

/** A field that fits the contract but not this project. */
export const invalidArgument = (issues: readonly Issue[]): FairleadError =>
  new FairleadError({
    code: "invalid_argument",
    message: issues.map(({ path, expected }) => `${path}: expected ${expected}`).join("; "),
    hint: issues[0]?.fix ?? "correct the input",
    issues,
  });
