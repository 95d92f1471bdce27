/**
 * The part of a page's address that says what it shows, like `?name=holler`: texts by name. Each change is an entry of the browser's history, but
 * one step of several, like a slider's, which takes the place of the one before.
 */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

type PageSearch = Readonly<Record<string, string>>;

type OpenPage = (next: PageSearch, options?: { readonly isStep?: boolean }) => void;

export const usePageSearch = (): readonly [PageSearch, OpenPage] => {
  const search = useSearch({ from: "/x/$service" });
  const navigate = useNavigate();
  const open = useCallback<OpenPage>(
    (next, { isStep = false } = {}) => void navigate({ to: ".", search: next, replace: isStep }),
    [navigate],
  );
  return [search, open];
};
