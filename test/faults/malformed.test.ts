/** Two thousand malformed requests; `malformed.long.test.ts` sends twenty thousand. */
import { testMalformed } from "./malformed.ts";

testMalformed({ http: 1_200, sockets: 200, stdio: 600 });
