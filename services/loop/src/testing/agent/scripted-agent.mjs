/**
 * A headless agent by a script: reads a prompt, edits files in its folder, prints its answer. It repairs what its script says and pretends to
 * repair the rest. `node scripted-agent.mjs script.json`; the script also names a file for the calls that were made.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

const script = JSON.parse(readFileSync(process.argv[2], "utf8"));
const prompt = readFileSync(0, "utf8");
const defect = script.defects.find(({ title }) => prompt.includes(`: ${title}\n`));
const asked = /"type": "([A-Z_]+)"/.exec(prompt)?.[1];
const calls = readFileSync(script.calls, "utf8").split("\n");
const failed = calls.filter((line) => defect !== undefined && line.endsWith(` ${defect.title}`)).length;
appendFileSync(script.calls, `${asked} ${defect?.title ?? ""}\n`);

const say = (payload) => console.log(`Here it is.\n\n\`\`\`json\n${JSON.stringify({ type: asked, payload })}\n\`\`\``);

const propose = ({ title, file, command }) => ({
  category: "fix",
  title,
  description: `${title}: the test fails`,
  files: [file],
  allowed_paths: [file],
  verification_commands: [command],
  confidence: 90,
  impact_score: 8,
  risk: "low",
});

const edit = ({ file, wrong, right, repairs, comment }) => {
  const text = readFileSync(file, "utf8");
  if (repairs) return writeFileSync(file, text.replace(wrong, right));
  if (comment !== undefined) appendFileSync(file, `${comment}\n`);
};

const isAsking = script.question !== undefined && asked === "PLAN_SUBMITTED" && !prompt.includes(script.question);

if (failed < (defect?.failures ?? 0)) process.exitCode = 3;
else if (isAsking) console.log(JSON.stringify({ type: "QUESTION", payload: { question: script.question } }));
else if (script.answers !== undefined) console.log(script.answers);
else if (asked === "SCOUT_OUTPUT") say({ proposals: script.defects.map(propose), explored_dirs: ["src"] });
else if (script.silent) console.log("It looks fine.");
else if (asked === "PLAN_SUBMITTED")
  say({ files_to_touch: [{ path: defect.file, action: "modify" }], risk_level: defect.risk });
else if (asked === "TICKET_RESULT") {
  edit(defect);
  if (script.remark !== undefined) console.log(script.remark);
  else say({ status: "done", changed_files: [defect.file], summary: `did ${defect.title}` });
}
