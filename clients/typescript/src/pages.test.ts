import { expect, test } from "vitest";
import { eachItem, eachPage } from "./pages.ts";

/** A list of the numbers below 7, three a page; records the inputs. */
const list = () => {
  const inputs: unknown[] = [];
  const call = async (input: unknown) => {
    inputs.push(input);
    const from = Number(Object(input).cursor ?? 0);
    return {
      items: [0, 1, 2].map((each) => from + each).filter((each) => each < 7),
      next: from < 6 ? `${from + 3}` : null,
    };
  };
  return { inputs, call };
};

test("asks for page after page, each with the caller's own fields", async () => {
  const { inputs, call } = list();
  expect(await Array.fromAsync(eachItem(eachPage("n.list", { odd: false }, call)))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(inputs).toEqual([{ odd: false }, { odd: false, cursor: "3" }, { odd: false, cursor: "6" }]);
});

test("begins at the caller's cursor, and asks for no more than is read", async () => {
  const { inputs, call } = list();
  for await (const item of eachItem(eachPage("n.list", { cursor: "3" }, call))) if (item === 4) break;
  expect(inputs).toEqual([{ cursor: "3" }]);
});

test("ends at an empty list, and where a page says nothing of a next one", async () => {
  expect(await Array.fromAsync(eachItem(eachPage("n.list", undefined, async () => ({ items: [] }))))).toEqual([]);
});

test("fails where a page names itself as the next", async () => {
  const pages = eachPage("n.list", {}, async () => ({ items: [1], next: "1" }));
  await expect(Array.fromAsync(pages)).rejects.toMatchObject({ code: "internal", procedure: "n.list" });
});
