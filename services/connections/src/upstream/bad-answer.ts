/** The upstream said something that MCP does not say. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
}
