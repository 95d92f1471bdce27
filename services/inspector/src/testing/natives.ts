/** For tests of the generated loop: V8 reads its natives in this process from now on, as in one started with `--allow-natives-syntax`. */
import { setFlagsFromString } from "node:v8";
import { useNatives } from "../host/hidden-class.ts";

setFlagsFromString("--allow-natives-syntax");
useNatives(true);
