/**
 * The action procedures: by value a pure function of the sent game, in an encounter the next call of it. Encounters open with the first call that needs them.
 *
 * Not here: the procedures that take a game alone (`../handlers.ts`).
 */
import { FairleadError } from "@fairlead/contracts";
import type rules from "@fairlead/contracts/rules";
import type { AttackActionInput, Game } from "@fairlead/contracts/rules";
import type { Call, Handlers } from "@fairlead/kernel/service";
import { createDice } from "../dice/input.ts";
import { type DeclaringCall, withDeclaredErrors } from "../result/declared-error.ts";
import { markImpossible, markNoCheck } from "../result/mark.ts";
import { Refusal } from "../result/refusal.ts";
import { sameName } from "../sheet/names.ts";
import { findUnreadEntrants } from "../unread/find-unread.ts";
import { withUnread } from "../unread/with-unread.ts";
import { type EncounterAction, type IntendedAction, type RollingAction, resolveAction } from "./act.ts";
import type { EncounterAddress, Encounters } from "./encounters.ts";
import { noScene } from "./scene.ts";

type ActionHandlers = Pick<
  Handlers<typeof rules>,
  | "attack"
  | "skillCheck"
  | "abilityCheck"
  | "savingThrow"
  | "impossible"
  | "noCheck"
  | "startEncounter"
  | "encounterState"
  | "endTurn"
  | "undoAction"
  | "endEncounter"
  | "encounterLog"
  | "encounters"
  | "encounterOdds"
  | "rest"
>;

/** Where encounters are kept. */
export interface EncounterKeeping {
  readonly stateDir: () => string;
  /** What is to be released when the service stops. */
  readonly onStop: (release: () => void) => void;
}

interface MarkInput {
  readonly encounter?: string | undefined;
  readonly reason: string;
}

/** What every action that rolls takes beside its own fields. */
type ActingFields = Pick<AttackActionInput, "encounter" | "version" | "game" | "actor" | "scene" | "dice">;

type AnyCall = DeclaringCall & Pick<Call, "principal">;

/** An action by value changes nothing and needs `read`; one in an encounter changes it, and needs what mutations need. */
const requireCallAccess = ({ id, access, grants }: Call["principal"]): void => {
  const granted = grants?.some(
    (grant) => grant.access.includes("call") && (grant.services === undefined || grant.services.includes("rules")),
  );
  if (access.includes("call") && granted !== false) return;
  throw new FairleadError({
    code: "permission_denied",
    message: `${id} may resolve a game by value, and not act in an encounter`,
    hint: "use a token that allows `call`, or send the state as `game`",
  });
};

/** By name of the procedure; `roll` makes the action of it. */
export const createActionHandlers = ({ stateDir, onStop }: EncounterKeeping): ActionHandlers => {
  let opened: Promise<Encounters> | undefined;
  const open = async (): Promise<Encounters> => {
    const [{ openEncounterStore }, { createEncounters }, { findMonster }] = await Promise.all([
      import("./store.ts"),
      import("./encounters.ts"),
      import("../creatures/monster.ts"),
    ]);
    const encounters = createEncounters(openEncounterStore(stateDir()), findMonster);
    onStop(() => encounters.close());
    return encounters;
  };
  const withEncounters = async <T>(call: DeclaringCall, use: (encounters: Encounters) => T): Promise<T> => {
    opened ??= open().catch((failure) => {
      opened = undefined;
      throw failure;
    });
    const encounters = await opened;
    return withDeclaredErrors(call, () => use(encounters));
  };
  const act = (at: EncounterAddress, call: AnyCall, action: EncounterAction, dice?: ActingFields["dice"]) => {
    requireCallAccess(call.principal);
    return withEncounters(call, (encounters) => encounters.act(at, action, dice));
  };
  const address = (handle: string, call: AnyCall, version?: number): EncounterAddress => ({
    handle,
    principal: call.principal.id,
    version,
  });

  const roll = (sent: ActingFields, call: AnyCall, intended: IntendedAction) => {
    const { encounter, game, actor, scene, dice, version } = sent;
    const action: RollingAction = { ...intended, scene: scene ?? noScene, ...(actor !== undefined && { actor }) };
    if (encounter !== undefined && game === undefined)
      return act(address(encounter, call, version), call, action, dice);
    return withDeclaredErrors(call, () => {
      if (game === undefined || encounter !== undefined)
        throw new Refusal("game_or_encounter", "send either `encounter` or `game`", undefined);
      if (actor !== undefined && !sameName(actor, game.player.name))
        throw new Refusal("unknown_actor", `by value, ${game.player.name} acts`, {
          name: actor,
          known: [game.player.name],
        });
      const seen: Game = scene === undefined ? game : { ...game, scene };
      const intent = action.procedure === "attack" ? action.intent : undefined;
      return withUnread(resolveAction(seen, action, createDice(dice)), seen, intent);
    });
  };

  const mark = (sent: MarkInput, call: AnyCall, procedure: "impossible" | "noCheck") => {
    const { encounter, reason } = sent;
    if (encounter === undefined) return procedure === "impossible" ? markImpossible(reason) : markNoCheck(reason);
    return act(address(encounter, call), call, { procedure, reason });
  };

  return {
    attack: ({ weapon, target, extra_damage_sources, is_spell_attack, spell_name, ...sent }, call) =>
      roll(sent, call, {
        procedure: "attack",
        intent: {
          weapon,
          target,
          ...(extra_damage_sources !== undefined && { extra_damage_sources }),
          ...(is_spell_attack !== undefined && { is_spell_attack }),
          ...(spell_name !== undefined && { spell_name }),
        },
      }),
    skillCheck: ({ skill, dc, ...sent }, call) => roll(sent, call, { procedure: "skillCheck", intent: { skill, dc } }),
    abilityCheck: ({ ability, dc, ...sent }, call) =>
      roll(sent, call, { procedure: "abilityCheck", intent: { ability, dc } }),
    savingThrow: ({ ability, dc, source, ...sent }, call) =>
      roll(sent, call, {
        procedure: "savingThrow",
        intent: { ability, dc, ...(source !== undefined && { source }) },
      }),
    impossible: (sent, call) => mark(sent, call, "impossible"),
    noCheck: (sent, call) => mark(sent, call, "noCheck"),
    startEncounter: ({ dice, ...input }, call) =>
      withEncounters(call, (encounters) => {
        const view = encounters.start(call.principal.id, input, dice);
        const notRead = findUnreadEntrants(input);
        return notRead === undefined ? view : { ...view, notRead };
      }),
    encounterState: ({ encounter }, call) =>
      withEncounters(call, (encounters) => encounters.view(address(encounter, call))),
    endTurn: ({ encounter, version, dice }, call) =>
      withEncounters(call, (encounters) =>
        encounters.change(address(encounter, call, version), {
          type: "end_turn",
          ...(dice !== undefined && { dice }),
        }),
      ),
    undoAction: ({ encounter, version }, call) =>
      withEncounters(call, (encounters) => encounters.change(address(encounter, call, version), { type: "undo" })),
    endEncounter: ({ encounter }, call) =>
      withEncounters(call, (encounters) => encounters.change(address(encounter, call), { type: "end" })),
    rest: ({ encounter, version, length, hitDice, dice }, call) =>
      withEncounters(call, (encounters) =>
        encounters.change(address(encounter, call, version), {
          type: "rest",
          length,
          hitDice,
          ...(dice !== undefined && { dice }),
        }),
      ),
    encounterLog: ({ encounter }, call) =>
      withEncounters(call, (encounters) => encounters.log(address(encounter, call))),
    encounters: ({ limit }, call) =>
      withEncounters(call, (encounters) => ({ encounters: [...encounters.list(call.principal.id, limit)] })),
    encounterOdds: ({ encounter, ...asked }, call) =>
      withEncounters(call, (encounters) => encounters.odds(address(encounter, call), asked)),
  };
};
