/** The command palette: pages, services and procedures by a few letters. Arrows choose, Enter opens. */
import { Dialog } from "@base-ui/react/dialog";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { useDescriptions, useServicePages, useServices } from "../api/kernel.ts";
import { pages } from "./navigation.ts";

interface Entry {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  readonly open: () => void;
}

const mostShown = 12;

export const Palette = ({
  open,
  onOpenChange,
}: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}) => {
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const all = useEntries(() => onOpenChange(false));
  const entries = useMemo(() => {
    const parts = words
      .toLowerCase()
      .split(/\s+/)
      .filter((part) => part !== "");
    return all
      .filter(({ title, note }) => parts.every((part) => `${title} ${note}`.toLowerCase().includes(part)))
      .slice(0, mostShown);
  }, [all, words]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((entries.length + chosen + step) % Math.max(1, entries.length));
    }
    if (event.key === "Enter") entries[chosen]?.open();
  };
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-[min(40rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-card shadow-2xl">
          <Dialog.Title className="sr-only">Search pages, services and procedures</Dialog.Title>
          <input
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={entries[chosen] === undefined ? undefined : `${listId}-${chosen}`}
            aria-label="Search"
            placeholder="Go to a page, a service or a procedure…"
            value={words}
            onChange={({ target }) => {
              setWords(target.value);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
            className="h-12 w-full border-b border-line bg-card px-4 text-base outline-none"
          />
          <div role="listbox" id={listId} aria-label="Results" className="max-h-96 overflow-auto p-2">
            {entries.map((entry, index) => (
              // The input has the focus and the keys; a pointer needs none.
              <button
                type="button"
                tabIndex={-1}
                key={entry.key}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === chosen}
                onClick={entry.open}
                onMouseMove={() => setChosen(index)}
                className={`flex w-full cursor-pointer items-baseline justify-between gap-3 rounded-md px-3 py-2 text-left ${index === chosen ? "bg-accent-soft" : ""}`}
              >
                <span className="font-medium">{entry.title}</span>
                <span className="truncate text-sm text-soft">{entry.note}</span>
              </button>
            ))}
            {entries.length === 0 && <p className="px-3 py-6 text-center text-soft">Nothing has that name.</p>}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

const useEntries = (close: () => void): readonly Entry[] => {
  const navigate = useNavigate();
  const services = useServices().data?.services ?? [];
  const ofServices = useServicePages().data ?? [];
  const described = useDescriptions();
  const go = (open: () => Promise<void>) => (): void => {
    close();
    void open();
  };
  return [
    ...pages.map(({ to, title }) => ({ key: to, title, note: "page", open: go(() => navigate({ to })) })),
    ...ofServices.map(({ service, title }) => ({
      key: `page ${service}`,
      title,
      note: `page of ${service}`,
      open: go(() => navigate({ to: "/x/$service", params: { service } })),
    })),
    ...services.map(({ id, summary }) => ({
      key: `service ${id}`,
      title: id,
      note: `service: ${summary}`,
      open: go(() => navigate({ to: "/services/$service", params: { service: id } })),
    })),
    ...described.flatMap(({ procedures }) =>
      procedures.map(({ name, summary }) => ({
        key: `procedure ${name}`,
        title: name,
        note: summary,
        open: go(() => navigate({ to: "/contracts/$procedure", params: { procedure: name } })),
      })),
    ),
  ];
};
