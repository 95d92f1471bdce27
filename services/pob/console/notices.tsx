/** What Path of Building did not take as it is written. Lines of items are text. */
import { Badge } from "@fairlead/console/kit";
import type { Notice } from "./api.ts";

export const Notices = ({ notices }: { readonly notices: readonly Notice[] }) =>
  notices.length === 0 ? null : (
    <section aria-label="Notices">
      <h3 className="text-xs text-soft">Not taken as it is written</h3>
      <ul className="mt-1 flex flex-col gap-1 text-sm">
        {notices.map(({ kind, where, text, message, nearest }, at) => (
          <li key={at} className="flex items-baseline gap-2">
            <span className="shrink-0">
              <Badge tone="warn">{kind.replaceAll("_", " ")}</Badge>
            </span>
            <span className="min-w-0 break-words">
              {where}: {text} <span className="text-soft">{message}</span>
              {nearest !== undefined && `; did you mean ${nearest}?`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
