/** The global symbol under which `inspect` registers what an inspector in this or another process calls. */
export const registrationName = "fairlead.inspector";
export const registrationKey = Symbol.for(registrationName);
