import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";

/**
 * What a stream or a long poll takes: with an effect it carries work, such as a trainer's reports or an upload. It is no work in
 * the total of commands, since it may last for days; apart from watchers, these do not keep it out.
 */
export function lastingDemand({ idempotency }: DescMethod): "watch" | "work_stream" {
  return idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS ? "watch" : "work_stream";
}
