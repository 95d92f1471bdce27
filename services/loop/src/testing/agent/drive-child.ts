/** Drives an agent to the end of a session in a process of its own, and prints each event as a line of JSON. Arguments: the project's folder and the agent. */
import { writeSync } from "node:fs";
import { driveToEnd, openProject } from "./drive.ts";

const [, , folder = "", agent = ""] = process.argv;
const project = openProject(folder);
const { problem } = await driveToEnd(project, {
  agent,
  onEvent: (event) => {
    writeSync(1, `${JSON.stringify(event)}\n`);
  },
});
project.close();
if (problem !== undefined) throw problem;
