import type { IncomingMessage } from "node:http";
import { accessRule } from "@aiplatform/caller-identity";
import type { Operation, Transcoder } from "@aiplatform/transcoder";
import type { DescMethod } from "@bufbuild/protobuf";
import { isPrompt, takesApiKey } from "./admit-caller.ts";
import { type Owner, ownerOf } from "./owners.ts";
import { isPredictionPath, predictionRoute } from "./prediction-proxy-path.ts";
import type { RpcPath } from "./rpc-path.ts";

/** What a request of a known caller is for, as far as its place in the queue depends on it. */
export interface RequestPurpose {
  /** Path as it is declared: one of few. */
  readonly path: string;
  readonly takesApiKey: boolean;
  /** The service that it is a prompt call of. */
  readonly owner?: Owner;
}

/** What requests are read with. */
interface PurposeParts extends Pick<Transcoder, "operations" | "find"> {
  readonly rpcOf: (url: string) => RpcPath | undefined;
}

const prediction: RequestPurpose = { path: predictionRoute, takesApiKey: false };

/** Reads what a request is for; undefined for what no budget of an organisation is charged for, or what is not known. */
export function createPurposeReader({
  operations,
  find,
  rpcOf,
}: PurposeParts): (request: IncomingMessage) => RequestPurpose | undefined {
  const purposes = new Map(operations.map((operation) => [operation, purposesOf(operation)]));
  return (request) => {
    const operation = find(request);
    if (operation) return purposes.get(operation)?.[isPrompt(operation, request) ? "prompt" : "lasting"];
    if (request.method === "OPTIONS") return undefined;
    if (isPredictionPath(request.url ?? "")) return prediction;
    const { method } = rpcOf(request.url ?? "") ?? {};
    return method && rpcPurpose(method);
  };
}

function purposesOf(operation: Operation): { prompt: RequestPurpose; lasting: RequestPurpose } | undefined {
  if (accessRule(operation.method).kind === "public") return undefined;
  const lasting = { path: operation.path, takesApiKey: takesApiKey(operation) };
  return { lasting, prompt: { ...lasting, owner: ownerOf(operation.service) } };
}

function rpcPurpose(method: DescMethod): RequestPurpose | undefined {
  if (accessRule(method).kind === "public") return undefined;
  const isLasting = method.methodKind !== "unary" || method.input.field.waitSeconds !== undefined;
  return { path: "", takesApiKey: true, ...(isLasting ? {} : { owner: ownerOf(method.parent) }) };
}
