/** Twenty thousand malformed requests. */
import { testMalformed } from "./malformed.ts";

testMalformed({ http: 12_000, sockets: 2_000, stdio: 6_000 });
