/** What a second copy of our declarations is made of, for tests that run source as another process would. */
import "@fairlead/linq";
import { Frame, LinqError } from "@fairlead/linq";
import { languageLibrary } from "@fairlead/linq/source";
import { Encoder } from "../encode/encode.ts";
import { hostAccess } from "../host/access.ts";
import { Registry } from "../host/registry.ts";
import { fixture } from "./fixture.ts";

export default { ...languageLibrary(), Encoder, Frame, fixture, hostAccess, LinqError, Registry };
