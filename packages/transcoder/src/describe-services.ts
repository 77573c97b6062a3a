import type { DescService } from "@bufbuild/protobuf";
import { type DescribeOptions, describeOperations } from "./openapi.ts";
import { compileOperations } from "./operation.ts";

/** The OpenAPI 3.1.0 document of annotated services, for who serves nothing. Throws as `createTranscoder` does. */
export function describeServices(services: readonly DescService[], options: DescribeOptions): object {
  return describeOperations(compileOperations(services), options);
}
