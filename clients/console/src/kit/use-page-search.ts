/** The part of a page's address that says what it shows, like `?name=holler`: texts by name. Each change is an entry of the browser's history. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

type PageSearch = Readonly<Record<string, string>>;

export const usePageSearch = (): readonly [PageSearch, (next: PageSearch) => void] => {
  const search = useSearch({ from: "/x/$service" });
  const navigate = useNavigate();
  const open = useCallback((next: PageSearch) => void navigate({ to: ".", search: next }), [navigate]);
  return [search, open];
};
