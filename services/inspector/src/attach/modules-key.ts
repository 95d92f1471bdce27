/** The global symbol under which the preload keeps the ES modules of a program: a map of namespaces by address. */
export const modulesName = "fairlead.modules";
