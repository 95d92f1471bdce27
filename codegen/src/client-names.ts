/** `@fairlead/codegen/client-names`: where generated clients are, and what they call things. Loads neither a contract nor Zod. */
export { pythonArguments, pythonClass, pythonMethod, snakeNames } from "./emit/python/names.ts";
export { clientModule } from "./model/project.ts";
