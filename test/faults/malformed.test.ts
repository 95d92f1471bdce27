/** Some hundred malformed requests; `malformed.long.test.ts` sends twenty thousand. */
import { testMalformed } from "./malformed.ts";

testMalformed({ http: 200, sockets: 40, stdio: 100 });
