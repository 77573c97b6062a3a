import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json } from "../mesh/rest.ts";

/** The description of the REST API, as it is committed. */
export const description: Json = JSON.parse(readFileSync(join(import.meta.dirname, "../../docs/openapi.json"), "utf8"));

/** An operation of the description. */
export interface Described {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The OpenAPI operation object. */
  readonly operation: Json;
  /** Of a success. */
  readonly status: number;
}

/** Every operation by its id, in the description's order. */
export const operations: ReadonlyMap<string, Described> = new Map(
  Object.entries<Json>(description.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => {
      const status = Number(Object.keys(operation.responses).find((code) => /^2|^303$/.test(code)));
      return [
        operation.operationId,
        { id: operation.operationId, method: method.toUpperCase(), path, operation, status },
      ];
    }),
  ),
);

const formats = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  email: /^[^@\s]+@[^@\s]+$/,
};
const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
ajv.addSchema(description, "api");

/** What is wrong with a success's body, as the operation's schema sees it; one line each. */
export function mismatches({ path, method, status }: Described, mediaType: string, body: unknown): string[] {
  const pointer = ["paths", path, method.toLowerCase(), "responses", `${status}`, "content", mediaType, "schema"];
  const at = pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
  const validate = ajv.compile({ $ref: `api#/${at}` });
  validate(body);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
