/**
 * What pages of services are made of: calls of their service's procedures with the types of its contract, and the console's own parts, so that all
 * pages look alike. Built to `/console/kit/1/kit.js`; what it exports stays as it is until that number grows.
 *
 * Not here: what a page is about. The kit names no service.
 */
export { takeArrival } from "../api/arrival.ts";
export { readCallError } from "../api/client.ts";
export { useIsAdmin, useMayCall } from "../api/kernel.ts";
export { callCommand } from "../schema/snippets.ts";
export { byteSize, duration, relativeTime } from "../text/relative-time.ts";
export { ChoiceField, Figure, NumberField, Sections, TextArea, TextField } from "../ui/form.tsx";
export { JsonTree } from "../ui/json-tree.tsx";
export {
  Badge,
  Button,
  Card,
  CodeBlock,
  CopyCommand,
  Empty,
  ErrorNote,
  Mono,
  PageHeader,
  Time,
  type Tone,
  useNow,
} from "../ui/parts.tsx";
export { type ServiceApi, type StreamStatus, serviceApi } from "./service-api.ts";
export { usePageSearch } from "./use-page-search.ts";
