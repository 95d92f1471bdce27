/** Where `inspect` leaves what an inspector in the same or another process asks. */
export const registrationName = "fairlead.inspector";
export const registrationKey = Symbol.for(registrationName);
