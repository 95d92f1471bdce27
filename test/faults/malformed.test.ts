/** Some hundred malformed requests; `malformed.long.test.ts` sends twenty thousand. */
import { testMalformed } from "./malformed.ts";

testMalformed({ http: 400, sockets: 80, stdio: 200 });
