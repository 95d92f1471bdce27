/**
 * Who has a place of keys: one worker at a time. Whoever wants it asks who has it; a place whose owner has been silent for six seconds is taken over with a
 * higher claim, and that owner, where it comes back, gives way.
 *
 * Not here: how it knows that it may have been away (`../fleet/arrival-gate.ts`).
 */
import { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type { FleetNode, FleetPlace, PlaceClaim } from "../fleet/node.ts";
import { isLater, lostAfterMs } from "../fleet/roster.ts";
import type { FleetMember } from "./fleet.ts";

interface ClaimOptions {
  readonly member: FleetMember;
  readonly place: FleetPlace;
  /** Whether a life of a process is connected; `undefined` where it does not say. */
  readonly isThere: (instance: string) => Promise<boolean | undefined>;
}

/** Fails where somebody who is there has it. Who gets it says so once it takes calls. */
export const claimPlace = ({ member, place, isThere }: ClaimOptions): Effect.Effect<PlaceClaim, FairleadError> => {
  const attempt: Effect.Effect<PlaceClaim, FairleadError> = Effect.gen(function* () {
    const owner = yield* Effect.promise(() => member.whenOwned(place));
    const isOwned = owner === undefined ? false : yield* Effect.promise(() => isThere(owner.instance));
    if (owner !== undefined && isOwned === true) return yield* Effect.fail(taken(place, owner.name));
    // One that is connected and does not answer is paused, or very busy: it has a while.
    if (owner !== undefined && isOwned === undefined && performance.now() - owner.at <= lostAfterMs)
      return yield* attempt;
    return { ...place, epoch: Math.max(Date.now(), (member.roster.owner(place)?.epoch ?? 0) + 1) };
  });
  return attempt;
};

/** Whether another has this place now. In doubt, any other that claims it has it. */
export const hasLost = (
  own: { readonly instance: string; readonly claim: PlaceClaim },
  heard: FleetNode,
  isInDoubt: boolean,
): boolean => {
  const { claim, instance, state } = heard;
  if (claim === undefined || state === "Stopped" || instance === own.instance) return false;
  if (claim.places !== own.claim.places || claim.place !== own.claim.place) return false;
  return isInDoubt || isLater({ epoch: claim.epoch, instance }, { epoch: own.claim.epoch, instance: own.instance });
};

const taken = ({ place, places }: FleetPlace, owner: string): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    message: `place ${place} of ${places} is taken by ${owner}`,
    hint: "give this worker another place, or end that one first",
  });

export const takenOver = ({ place, places }: FleetPlace, owner: string): FairleadError =>
  new FairleadError({
    code: "aborted",
    message: `place ${place} of ${places} was taken over by ${owner} while this worker did not answer`,
    hint: "nothing of it runs here any more; start a worker again where it is to have a place",
  });
