// The parts of the OpenAPI description that are read to generate from it.

/** A JSON schema, or a reference to one. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Media type → what a body of it is. */
export type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

/** A parameter in the path, the query or a header. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** An answer. */
export interface Answer {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

/** An operation at a path. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** The description of the REST API. */
export interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** The answer of an operation that succeeds, with its status. */
export function success({ responses }: Operation): [status: string, answer: Answer] {
  return Object.entries(responses).find(([status]) => /^2|^303$/.test(status)) ?? ["", {}];
}
