/**
 * The table, the page of the rules in the console: rolls by value with their exact odds and proofs, and fights that are kept. Built by `npm run page` into one ES
 * module, which the kernel serves at `/console/x/rules/` and the console imports.
 */
import { PageHeader, Sections, usePageSearch } from "@fairlead/console/kit";
import { Fights } from "./fights.tsx";
import { Roll } from "./roll.tsx";

export default function TablePage() {
  const [{ view }, open] = usePageSearch();
  const shown = view === "fight" ? "fight" : "roll";
  return (
    <>
      <PageHeader title="Table">
        What is tried, how likely it is, and what the dice say: D&D 5e by the SRD, every number with its rule
      </PageHeader>
      <Sections
        label="Parts of the table"
        shown={shown}
        onOpen={(section) => open(section === "fight" ? { view: "fight" } : {})}
        sections={[
          ["roll", "A roll"],
          ["fight", "Fights"],
        ]}
      />
      {shown === "fight" ? <Fights /> : <Roll />}
    </>
  );
}
