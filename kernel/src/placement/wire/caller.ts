/** Who calls, and the run that a call is an attempt of, as they travel between kernels: their schemas. Not here: signatures (`signature.ts`). */
import * as z from "zod";
import type { Principal } from "../../call/call.ts";

const levels = z.array(z.enum(["read", "call", "admin"]));
export const principalSchema = z.object({
  id: z.string().min(1).max(200),
  via: z.string().optional(),
  access: levels,
  services: z.array(z.string()).optional(),
  grants: z.array(z.object({ access: levels, services: z.array(z.string()).optional() })).optional(),
});
export const runSchema = z.object({ id: z.string(), attempt: z.int(), deadlineMs: z.number() });

/** Rights without rates: the kernel that the caller called has counted already. */
export const withoutRate = ({ rate: _, ...principal }: Principal): Principal => principal;
