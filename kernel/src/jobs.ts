/** Background jobs of a service: the outbox in its own database, and schedules. A job is a run that the service starts; see `docs/runs.md`. */
export { type JobDatabase, type JobOptions, type JobOutbox, openOutbox } from "./jobs/outbox.ts";
export { type JobSchedule, type JobSchedules, openSchedules } from "./jobs/schedules.ts";
