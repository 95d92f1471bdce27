/**
 * All that a question's source may name in another process. `npm run bundle` makes one script of it (`gen/remote-library.ts`); nothing
 * that runs here imports it.
 */
import "@fairlead/linq";
import { languageLibrary } from "@fairlead/linq/source";
import {
  openQuestion,
  openRemoteRun,
  replyToEval,
  replyToExplore,
  replyToQuery,
  replyWithRoots,
  replyWithTypes,
  startReply,
} from "./remote-run.ts";

export default {
  ...languageLibrary(),
  replyToEval,
  replyToExplore,
  replyToQuery,
  replyWithRoots,
  replyWithTypes,
  openRemoteRun,
  openQuestion,
  startReply,
};
