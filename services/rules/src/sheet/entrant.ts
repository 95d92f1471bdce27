/** A foe is sent as a sheet or by its numbers; decoded, only the latter has one bonus for all its saves. */
import type { Fighter, Npc } from "@fairlead/contracts/rules";

export const isSheet = (foe: Npc | Fighter): foe is Fighter => !("savingThrowBonus" in foe);
