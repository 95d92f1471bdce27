/** Forty thousand trees of services, each with a history of failures, requests and pauses. */
import { testLaws } from "../testing/supervision-laws.ts";

const seed = Date.now() % 1_000_000;
console.info(`the laws of supervision: seed ${seed}`);
testLaws(100, seed);
