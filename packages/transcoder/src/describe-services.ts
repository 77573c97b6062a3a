import type { DescService } from "@bufbuild/protobuf";
import { type DescribeOptions, describeOperations } from "./openapi.ts";
import { compileOperations, rpcName } from "./operation.ts";

/** The OpenAPI 3.1.0 document of annotated services, for who serves nothing. Throws as `createTranscoder` does. */
export function describeServices(services: readonly DescService[], options: DescribeOptions): object {
  return describeOperations(compileOperations(services), options);
}

/** Full name of each annotated RPC → id of its operation: the RPC's name, begun small; with its service's before it where two share it. */
export function operationNames(services: readonly DescService[]): Record<string, string> {
  return Object.fromEntries(compileOperations(services).map(({ operation: { id, method } }) => [rpcName(method), id]));
}
