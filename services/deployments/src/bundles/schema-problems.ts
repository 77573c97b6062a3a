import type { FieldViolation } from "@aiplatform/service-host";
import type { TaskRunner } from "@aiplatform/worker-pool";
import type { schemaProblem } from "./interface-schema.ts";

export interface SchemaDependencies {
  tasks: TaskRunner<{ schemaProblem: typeof schemaProblem }>;
}

/** A schema takes more time or memory to compile than it may. */
export class SchemaLimitError extends Error {
  override name = "SchemaLimitError";
  constructor() {
    super("the schema takes too long to compile: use fewer properties, patterns and alternatives");
  }
}

/** What is wrong with the schemas of a bundle's interface. @throws QueueFullError */
export async function schemaProblems(
  { tasks }: SchemaDependencies,
  organisationId: string,
  schemas: { input: string; output: string },
): Promise<FieldViolation[]> {
  const problemOf = async (text: string) => {
    // They allow everything, and are what most bundles have.
    if (text === "" || text === "{}") return undefined;
    try {
      return await tasks.run(organisationId, "schemaProblem", text);
    } catch (error) {
      if (error instanceof SchemaLimitError) return error.message;
      throw error;
    }
  };
  const { input, output } = schemas;
  const found = Object.entries({ input: await problemOf(input), output: await problemOf(output) });
  return found.flatMap(([name, problem]) => {
    if (problem === undefined) return [];
    return [{ field: `serving_bundle.interface.${name}`, reason: "SCHEMA_INVALID", description: problem }];
  });
}
