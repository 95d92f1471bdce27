/**
 * What services import of the kernel: `@fairlead/kernel/service`. The vocabulary itself stands in `service/`; services with
 * processes of their own find those in `subprocess.ts`.
 */
import "./call/version.ts";

export * from "./service/service.ts";
