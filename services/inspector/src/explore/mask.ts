/** Members and methods without the credentials that show in their names. */
import { maskText } from "../host/redaction.ts";
import type { MemberInfo, MethodInfo } from "./shape.ts";

/** For a member that no expression reads. */
export const maskMember = (member: MemberInfo): MemberInfo => ({
  ...member,
  name: maskText(member.name),
  ...(member.unreadable === undefined ? {} : { unreadable: maskText(member.unreadable) }),
});

export const maskMethod = (method: MethodInfo): MethodInfo => ({
  ...method,
  name: maskText(method.name),
  signature: maskText(method.signature),
});
