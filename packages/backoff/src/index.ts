export { type Backoff, backoffMs, pause } from "./backoff.ts";
