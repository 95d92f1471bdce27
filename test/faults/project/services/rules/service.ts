/** The rules service as it ships. */
export { default } from "@fairlead/service-rules";
