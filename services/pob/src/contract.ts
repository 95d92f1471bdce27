/** The contract of this service, for projects that plug in its package. In what is published it is beside this file; `codegen/pack/service.ts` puts it there. */
export * from "@fairlead/contracts/pob";
