import type { Json } from "../mesh/rest.ts";

/**
 * What callers of an earlier description would notice, one line each; empty when they can stay as they are.
 * More is no break: operations, parameters and fields that may be left out, statuses, values of an enum that is answered.
 */
export function breakingChanges(before: Json, after: Json): string[] {
  const was = operationsOf(before);
  const is = operationsOf(after);
  return [...was].flatMap(([name, operation]) => {
    const now = is.get(name);
    if (now === undefined) return [`${name}: is gone`];
    const changes = new Changes({ components: before.components }, { components: after.components });
    changes.operation(operation, now);
    return changes.found.map((change) => `${name}: ${change}`);
  });
}

function operationsOf({ paths }: Json): Map<string, Json> {
  return new Map(
    Object.entries<Json>(paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
}

/** Whether values of a schema go to the API or come from it: what is narrower breaks the one, what is wider the other. */
type Direction = "sent" | "answered";

/** Keywords whose value may only rise (1) or fall (-1) in what is answered, and only the other way in what is sent. */
const bounds: Readonly<Record<string, 1 | -1>> = {
  minimum: 1,
  exclusiveMinimum: 1,
  minLength: 1,
  minItems: 1,
  minProperties: 1,
  maximum: -1,
  exclusiveMaximum: -1,
  maxLength: -1,
  maxItems: -1,
  maxProperties: -1,
};
/** Keywords that no value of which is narrower than another: what is sent must not get one, nor another one. */
const filters = ["pattern", "format", "const", "contentEncoding"];

class Changes {
  readonly found: string[] = [];
  readonly #before: Json;
  readonly #after: Json;
  readonly #compared = new Set<string>();

  constructor(before: Json, after: Json) {
    this.#before = before;
    this.#after = after;
  }

  operation(before: Json, after: Json): void {
    this.#if(before.operationId !== after.operationId, `is called ${after.operationId}, and not ${before.operationId}`);
    this.#if(before.security?.length === 0 && after.security?.length !== 0, "asks for a credential");
    this.#parameters(before.parameters ?? [], after.parameters ?? []);
    this.#body(before.requestBody, after.requestBody);
    this.#success(before.responses, after.responses);
  }

  #parameters(before: Json[], after: Json[]): void {
    const key = ({ name, in: place }: Json) => `${place} ${name}`;
    const was = new Map(before.map((parameter) => [key(parameter), parameter]));
    const is = new Map(after.map((parameter) => [key(parameter), parameter]));
    for (const [name, { schema, required }] of was) {
      const now = is.get(name);
      if (now === undefined) {
        this.found.push(`${name} is gone`);
        continue;
      }
      this.#if(now.required && !required, `${name} is required`);
      this.#schema(schema, now.schema, "sent", name);
    }
    for (const [name, { required }] of is) this.#if(required && !was.has(name), `${name} is new and required`);
  }

  #body(before: Json, after: Json): void {
    this.#if(after?.required && !before?.required, "a body is required");
    this.#if(before && !after, "takes no body");
    this.#contents(before?.content, after?.content, "sent", "body");
  }

  #success(before: Json, after: Json): void {
    for (const [status, response] of Object.entries<Json>(before).filter(([code]) => /^2|^303$/.test(code))) {
      const now = after[status];
      this.#if(!now, `does not answer ${status}`);
      for (const name of Object.keys(response.headers ?? {})) this.#if(now && !now.headers?.[name], `has no ${name}`);
      if (now) this.#contents(response.content, now.content, "answered", `${status}`);
    }
  }

  #contents(before: Json = {}, after: Json = {}, direction: Direction, at: string): void {
    for (const [mediaType, { schema }] of Object.entries<Json>(before)) {
      const now = after[mediaType];
      this.#if(!now, `${at} is not ${mediaType}`);
      if (now) this.#schema(schema, now.schema, direction, at);
    }
  }

  #schema(before: Json, after: Json, direction: Direction, at: string): void {
    const pair = `${direction} ${before.$ref} ${after.$ref}`;
    if (before.$ref && after.$ref) {
      if (this.#compared.has(pair)) return;
      this.#compared.add(pair);
    }
    const [was, wasNull] = bare(resolved(this.#before, before), this.#before);
    const [is, isNull] = bare(resolved(this.#after, after), this.#after);
    this.#if(
      direction === "sent" ? wasNull && !isNull : isNull && !wasNull,
      `${at} ${isNull ? "may" : "must not"} be null`,
    );
    this.#if(
      was.type !== is.type && (direction === "sent" ? is.type : was.type),
      `${at} is ${is.type}, and not ${was.type}`,
    );
    if (direction === "sent") this.#narrowed(was, is, at);
    for (const [type, $ref] of Object.entries<string>(was.discriminator?.mapping ?? {})) {
      const now = is.discriminator?.mapping[type];
      if (now) this.#schema({ $ref }, { $ref: now }, direction, `${at} of type ${type}`);
    }
    if (was.items && is.items) this.#schema(was.items, is.items, direction, `${at}[]`);
    const values = [was.additionalProperties, is.additionalProperties];
    if (values.every((value) => typeof value === "object")) this.#schema(values[0], values[1], direction, `${at}.*`);
    this.#properties(was, is, direction, at);
  }

  #properties(before: Json, after: Json, direction: Direction, at: string): void {
    for (const [name, schema] of Object.entries<Json>(before.properties ?? {})) {
      const now = after.properties?.[name];
      if (now) this.#schema(schema, now, direction, `${at}.${name}`);
      else this.found.push(`${at}.${name} is gone`);
    }
    const [wider, narrower] = direction === "sent" ? [before, after] : [after, before];
    for (const name of narrower.required ?? [])
      this.#if(
        !wider.required?.includes(name),
        `${at}.${name} ${direction === "sent" ? "is required" : "may be absent"}`,
      );
  }

  #narrowed(before: Json, after: Json, at: string): void {
    for (const value of before.enum ?? [])
      this.#if(after.enum && !after.enum.includes(value), `${at} is never ${value}`);
    this.#if(after.enum && !before.enum, `${at} is one of a list`);
    for (const keyword of filters)
      this.#if(after[keyword] !== undefined && after[keyword] !== before[keyword], `${at} has another ${keyword}`);
    for (const [keyword, sign] of Object.entries(bounds)) {
      const open = -sign * Number.POSITIVE_INFINITY;
      const isTighter = ((after[keyword] ?? open) - (before[keyword] ?? open)) * sign > 0;
      this.#if(isTighter, `${at} has ${keyword} ${after[keyword]}`);
    }
  }

  #if(condition: unknown, change: string): void {
    if (condition) this.found.push(change);
  }
}

function resolved(document: Json, schema: Json): Json {
  if (schema.$ref) return resolved(document, document.components.schemas[schema.$ref.split("/").at(-1)]);
  if (!schema.discriminator) return schema;
  // Objects of several types: what all of them have.
  const { propertyName, mapping } = schema.discriminator;
  return {
    ...schema,
    type: "object",
    required: [propertyName],
    properties: { [propertyName]: { enum: Object.keys(mapping) } },
  };
}

/** A schema without its null, and whether it had one. */
function bare(schema: Json, document: Json): [Json, boolean] {
  const choices: Json[] = schema.anyOf ?? [];
  const one = choices.find(({ type }) => type !== "null");
  const hasNull = choices.some(({ type }) => type === "null");
  return one && hasNull ? [resolved(document, one), true] : [schema, false];
}
