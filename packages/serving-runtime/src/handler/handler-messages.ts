import type { Parameter } from "../protocol/inference.ts";
import type { JsonTensor } from "../protocol/tensor.ts";

/** What a handler's thread is started with. */
export interface HandlerData {
  /** Directory of the version's files. */
  readonly directory: string;
  /** Aliases of the models → their files. */
  readonly models: Readonly<Record<string, string>>;
  readonly datasets: unknown;
  readonly network: boolean;
  /** Proxy for HTTP by which it reaches the network. */
  readonly proxy: string | undefined;
  /** What the process could read and the thread shall not. */
  readonly hidden: readonly string[];
  /** Largest answer, characters. */
  readonly maxAnswer: number;
}

/** Said to a handler's thread. */
export type ToHandler =
  | {
      readonly type: "call";
      readonly id: number;
      readonly input: unknown;
      readonly parameters: Record<string, Parameter>;
    }
  | { readonly type: "abort"; readonly id: number }
  | { readonly type: "ping" }
  | { readonly type: "inferred"; readonly id: number; readonly outputs: readonly JsonTensor[] }
  | { readonly type: "not_inferred"; readonly id: number; readonly message: string };

/** Said by a handler's thread. */
export type FromHandler =
  | { readonly type: "ready" }
  | { readonly type: "unfit"; readonly detail: string }
  | { readonly type: "answer"; readonly id: number; readonly text: string }
  | { readonly type: "failure"; readonly id: number; readonly message: string }
  | { readonly type: "infer"; readonly id: number; readonly alias: string; readonly inputs: unknown }
  | { readonly type: "pong" };
