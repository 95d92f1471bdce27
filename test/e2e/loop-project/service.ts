/** The loop service as it ships, but for its clock and its ids, which count. Its project is the folder it is started in. */
import { loopService } from "@fairlead/service-loop";
import { countedWorld } from "./world.ts";

export default loopService(() => ({ ...countedWorld(), folder: process.cwd() }));
