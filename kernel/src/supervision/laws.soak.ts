/** A hundred thousand trees of services, each with a history of failures, requests and pauses. */
import { describe } from "vitest";
import { testLaws } from "../testing/supervision-laws.ts";

const seed = Date.now() % 1_000_000;
describe(`seed ${seed}`, () => testLaws(250, seed));
