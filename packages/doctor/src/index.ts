export type { Check, Diagnostics, Environment } from "./check.ts";
export { checkService } from "./check-service.ts";
export { httpClock } from "./checks/clock.ts";
export { hostChecks } from "./checks/host.ts";
export { sharedSecret } from "./checks/keys.ts";
export { peers } from "./checks/peers.ts";
export { diagnose, type Examination } from "./diagnose.ts";
export { either, type Finding, failed, fine, reasonOf, warning } from "./finding.ts";
export { merged } from "./merge.ts";
