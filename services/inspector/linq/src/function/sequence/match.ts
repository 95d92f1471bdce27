/** The elements of one sequence with those of another one that have their key. */
import { ElementReader } from "../../core/element-reader.ts";
import { portable } from "../../core/portable.ts";
import type { SequenceRun } from "../../core/sequence-run.ts";
import { Column } from "../../operator/column.ts";
import { chargeKey } from "../../operator/key.ts";
import { KeyTable } from "../../operator/key-table.ts";
import type { HostAccess } from "../../type/host.ts";
import { rowClass } from "../../value/row.ts";
import { Group, Sequence } from "../../value/sequence.ts";
import { each, makeSequence } from "./sequence.ts";

const Match = rowClass(["outer", "inner"]);

/**
 * Pairs of an element and its group in the first value, a sequence of groups. A key of null is equal to none, as in .NET: such an element
 * has an empty group, and the group of null is left out.
 */
export const match = portable(
  "match",
  (host: HostAccess): SequenceRun =>
    (call) => {
      const { frame, values } = call;
      const [groups] = values;
      const numbers = new KeyTable();
      const found: Group[] = [];
      const out = new Column();
      const none = new Sequence([]);
      return {
        begin: function* () {
          if (!Sequence.is(groups)) return;
          yield* each(new ElementReader(groups.elements, frame), call, (group) => {
            if (!Group.is(group) || group.key === null || group.key === undefined) return;
            numbers.add(chargeKey(group.key, host, frame));
            found.push(group);
          });
        },
        take: (item, key) => {
          const number = key === null || key === undefined ? undefined : numbers.get(chargeKey(key, host, frame));
          out.push(new Match(item ?? null, number === undefined ? none : (found[number] ?? none)));
          return true;
        },
        end: () => makeSequence(out, call),
      };
    },
);
