export { eventually } from "./eventually.ts";
export { type Failure, failureOf } from "./failure.ts";
export { environmentOf, type Home, newHome } from "./home.ts";
export { ServiceProcess, type ServiceProcessOptions } from "./service-process.ts";
export { type RigOptions, type RigParts, ServiceRig, startReplicas } from "./service-rig.ts";
export {
  CallerHands,
  callers,
  contextSigningKey,
  permissionsOf,
  type TestCaller,
  verificationKeys,
} from "./test-callers.ts";
