/** Where `inspect` leaves what an inspector in the same or another process asks. */
export const inspectionSlotName = "fairlead.inspector";
export const inspectionSlot = Symbol.for(inspectionSlotName);
