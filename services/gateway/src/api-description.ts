import { accessRule } from "@aiplatform/caller-identity";
import comments from "@aiplatform/contract/comments.json" with { type: "json" };
import { type DescribeOptions, describeServices } from "@aiplatform/transcoder";
import { servicesByOwner } from "./owners.ts";

const description: DescribeOptions = {
  title: "Backend API of an AI Platform for Business Users",
  version: "0.13.95",
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  servers: [{ url: "/" }],
  comments,
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
  },
};

/** The OpenAPI 3.1.0 document of the REST API. */
export function openApiDocument(): object {
  return describeServices([...servicesByOwner.values()].flat(), description);
}
