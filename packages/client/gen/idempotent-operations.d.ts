// Generated from docs/openapi.json. Do not edit.
/** Method and path of each operation that takes an `Idempotency-Key`. */
export declare const idempotentOperations: readonly string[];
