/** What the thread of the admin port is started with. */
export interface AdminData {
  readonly host: string;
  readonly port: number;
  /** One BigInt64: when the event loop of the process last gave a sign of life, by `process.hrtime.bigint()`. */
  readonly sign: SharedArrayBuffer;
  /** Without a sign of life for so long the process is held for stuck. */
  readonly stuckAfterMs: number;
}

/** What is answered to a request of the admin port. */
export interface AdminAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** From the thread. */
export type FromAdmin =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "failed"; readonly message: string; readonly code: string | undefined }
  | { readonly kind: "asked"; readonly id: number; readonly path: string };

/** To the thread: that a question has arrived, and its answer. */
export type ToAdmin =
  | { readonly kind: "heard"; readonly id: number }
  | { readonly kind: "answered"; readonly id: number; readonly answer: AdminAnswer };
