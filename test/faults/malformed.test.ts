/** A hundred malformed requests; `malformed.long.test.ts` sends twenty thousand. */
import { testMalformed } from "./malformed.ts";

testMalformed({ http: 80, sockets: 20, stdio: 50 });
