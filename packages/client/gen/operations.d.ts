// Generated from docs/openapi.json. Do not edit.
import type { Operation } from "../src/operations.ts";

export declare const operations: readonly Operation[];
