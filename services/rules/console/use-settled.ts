/** A value once it has stayed the same for a moment, so that typing asks once. */
import { useEffect, useState } from "react";

const quietMs = 250;

export const useSettled = <T>(value: T): T => {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), quietMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};
