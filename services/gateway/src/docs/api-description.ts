import { accessRule, permissionCatalogue } from "@aiplatform/caller-identity";
import comments from "@aiplatform/contract/comments.json" with { type: "json" };
import examples from "@aiplatform/contract/examples.json" with { type: "json" };
import { type DescribeOptions, describeServices, operationNames } from "@aiplatform/transcoder";
import { publicServices } from "../upstreams/upstreams.ts";

const knownPermission = {
  enum: permissionCatalogue(publicServices),
  "x-problem": { type: "permission_unknown", msg: "is not a known permission" },
};

const conventions = `
Every answer carries \`X-Request-Id\`. A failure is \`{"detail", "code"}\`, or RFC 9457 where \`Accept\` prefers
\`application/problem+json\`; what cannot be processed is 422, an unknown id 404.
Under \`/platform/\` a 422 lists all that breaks this description at once. The operations of the interface specification list
what FastAPI lists, and what is described by \`x-problem\` once none of that is left.
What an operation "fails with" is the \`code\` of the failure; of a 422 the \`type\` of an entry.
Lists are bare arrays; \`Link\` leads to the next page. Operations with an \`Idempotency-Key\` repeat the answer of a
request with the same key for 24 hours. Fields without a value are \`null\`. What a request has beyond the fields is
422 under \`/platform/\`, where a date-time needs a zone, too; the operations of the interface
specification, which are all others, ignore it.
`.trim();

/** What the REST API is described by, and the schemas that its requests are read by. */
export const apiDescription: DescribeOptions = {
  title: "Backend API of an AI Platform for Business Users",
  version: "0.13.95",
  description: conventions,
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  servers: [{ url: "/" }],
  comments,
  examples,
  headers: {
    "X-Request-Id": {
      description: "Names the request in logs; taken over from the request where it has one.",
      schema: { type: "string" },
    },
    RateLimit: {
      description: "What is left of the organisation's rate at this gateway.",
      schema: { type: "string" },
    },
    "RateLimit-Policy": {
      description: "The organisation's rate: requests (`q`) in so many seconds (`w`).",
      schema: { type: "string" },
    },
  },
  // The catalogue follows from the contract, so that no rule of a field can hold it.
  refine: ({ name }) => (name === "permission_ids" ? { items: knownPermission } : undefined),
  // What the specification says nothing of: there a misspelt field is a mistake.
  strict: ({ path }) => path.startsWith("/platform/"),
  securitySchemes: {
    bearer: {
      type: "http",
      scheme: "bearer",
      description: "An access token of a configured identity provider, or an API key.",
    },
  },
  security: [{ bearer: [] }],
  extend: ({ method }, described) => {
    const rule = accessRule(method);
    if (rule.kind === "permission") described["x-permission"] = rule.permission;
    if (rule.kind !== "public") return;
    // No credential is asked for, so no caller is refused for one.
    const { 401: _, 403: __, ...responses } = described["responses"] as Record<string, unknown>;
    Object.assign(described, { security: [], responses });
  },
};

/** The OpenAPI 3.1.0 document of the REST API. */
export function openApiDocument(): object {
  return describeServices(publicServices, apiDescription);
}

/** Full name of each RPC that is an operation → its `operationId`. */
export function operationIds(): Record<string, string> {
  return operationNames(publicServices);
}
