/** The game that came as a document, held to the contract's whole schema: what is refused, and how, is what dispatch would say. */
import { decoder, FairleadError } from "@fairlead/contracts";
import { type Game, game } from "@fairlead/contracts/rules";

const decode = decoder<Game>(game);

export const gameOf = (document: unknown): Game => {
  const decoded = decode(document);
  if (decoded.ok) return decoded.value;
  throw new FairleadError({
    code: "invalid_argument",
    message: "the game does not match its contract",
    hint: "see `fairlead describe rules.resolveAttack`, whose `game` this is",
    issues: decoded.issues.map(({ path, ...issue }) => ({ path: path === "" ? "game" : `game.${path}`, ...issue })),
  });
};
