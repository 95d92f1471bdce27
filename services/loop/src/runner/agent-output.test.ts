import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findQuestion, findReport, readAnswer, reportTypes } from "./agent-output.ts";
import { writeAgentPrompt } from "./agent-prompt.ts";

const plan = { files_to_touch: [{ path: "src/a.ts" }], risk_level: "low" };
const event = JSON.stringify({ type: "PLAN_SUBMITTED", payload: plan });

describe("the report of an answer", () => {
  it.each([
    ["a block", `I looked.\n\n\`\`\`json\n${event}\n\`\`\`\nThat is all.`],
    ["the last of several", `\`\`\`json\n{"type":"PLAN_SUBMITTED","payload":{}}\n\`\`\`\n\`\`\`\n${event}\n\`\`\``],
    ["a block that is not closed", `\`\`\`json\n${event}`],
    ["a line", `thinking {\n${event}\ndone`],
    ["several lines", `so:\n${JSON.stringify({ type: "PLAN_SUBMITTED", payload: plan }, null, 2)}\nbye`],
    ["a list of events", `[{"type":"QA_PASSED","payload":{}},${event}]`],
    ["events", `{"events":[${event}]}`],
    ["the payload alone", JSON.stringify(plan)],
  ])("is found as %s", (_, text) => {
    expect(findReport(text, "PLAN_SUBMITTED")).toEqual(plan);
  });

  it.each([
    ["words", "DONE"],
    ["nothing", ""],
    ["another type", event.replace("PLAN_SUBMITTED", "TICKET_RESULT")],
    ["JSON of something else", '{"name":"fairlead"}'],
    ["a payload that is no object", '{"type":"PLAN_SUBMITTED","payload":"yes"}'],
  ])("is not found in %s", (_, text) => {
    expect(findReport(text, "PLAN_SUBMITTED")).toBeUndefined();
  });

  it("is found whatever words are around its block, and never throws", () => {
    const words = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("`", ""));
    fc.assert(
      fc.property(words, (before) => {
        expect(findReport(`${before}\n\`\`\`json\n${event}\n\`\`\``, "PLAN_SUBMITTED")).toEqual(plan);
      }),
    );
    const noise = fc
      .array(fc.constantFrom("{", "}", "[", "]", "```", "\n", '"type":', event, "x"))
      .map((parts) => parts.join(""));
    fc.assert(fc.property(noise, fc.constantFrom(...reportTypes), (text, type) => void findReport(text, type)));
  });
});

describe("a report that says its type", () => {
  it("comes before what follows and only looks like one", () => {
    const failed = { type: "TICKET_RESULT", payload: { status: "failed", reason: "no compiler" } };
    const text = `\`\`\`json\n${JSON.stringify(failed)}\n\`\`\`\nThe API said:\n\`\`\`json\n{"status":"active"}\n\`\`\``;
    expect(findReport(text, "TICKET_RESULT")).toEqual(failed.payload);
  });
});

it("lists in each other without a limit are no report, and nothing throws", () => {
  const nested = fc.tuple(fc.integer({ min: 0, max: 60_000 }), fc.constantFrom("[", '{"events":[', '{"proposals":['));
  fc.assert(
    fc.property(nested, fc.constantFrom(...reportTypes), ([depth, open], type) => {
      const close = open === "[" ? "]" : "]}";
      const text = open.repeat(depth) + close.repeat(depth);
      const found = findReport(text, type);
      if (depth > 200) expect(found).toBeUndefined();
      readAnswer(text);
      findQuestion(text);
    }),
    { numRuns: 20 },
  );
});

describe("a question", () => {
  const asked = (question: string): string => JSON.stringify({ type: "QUESTION", payload: { question } });

  it("is found, and whether the answer ends with it", () => {
    expect(findQuestion(`Hm.\n\`\`\`json\n${asked("why?")}\n\`\`\`\n`)).toEqual({ text: "why?", isLast: true });
    expect(findQuestion(`Hm.\n${asked("why?")}`)).toEqual({ text: "why?", isLast: true });
    expect(findQuestion(`${asked("why?")}\nI went on.`)).toEqual({ text: "why?", isLast: false });
  });

  it.each(["", " ", "...", "\u2026", " . . "])("of %j is none", (text) => {
    expect(findQuestion(asked(text))).toBeUndefined();
  });

  it.each(reportTypes)("is not in the prompt for %s", (type) => {
    const prompt = writeAgentPrompt({ prompt: "Do it.", type, folder: "/", readOnly: false, problem: undefined });
    expect(findQuestion(prompt)).toBeUndefined();
    expect(findReport(prompt, type)).toBeUndefined();
  });
});

describe("the answer of agents that wrap it", () => {
  it("is the result of Claude Code, with its cost", () => {
    const wrapped = {
      type: "result",
      result: event,
      total_cost_usd: 0.25,
      usage: { input_tokens: 100, output_tokens: 20 },
    };
    const answer = { text: event, usage: { cost_usd: 0.25, input_tokens: 100, output_tokens: 20 } };
    expect(readAnswer(JSON.stringify(wrapped))).toEqual(answer);
    expect(readAnswer(`{"type":"system"}\n${JSON.stringify(wrapped)}\n`)).toEqual(answer);
  });

  it("is the last message of Codex, with the tokens of its turns", () => {
    const lines = [
      { type: "thread.started" },
      { type: "item.completed", item: { type: "agent_message", text: "first" } },
      { type: "item.completed", item: { type: "agent_message", text: event } },
      { type: "turn.completed", usage: { input_tokens: 7, output_tokens: 3 } },
    ];
    expect(readAnswer(lines.map((line) => JSON.stringify(line)).join("\n"))).toEqual({
      text: event,
      usage: { cost_usd: 0, input_tokens: 7, output_tokens: 3 },
    });
  });

  it("is all of it otherwise", () => {
    expect(readAnswer(event)).toEqual({ text: event, usage: undefined });
    expect(readAnswer("words")).toEqual({ text: "words", usage: undefined });
  });
});
