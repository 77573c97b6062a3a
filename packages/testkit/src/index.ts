export { dropDatabase } from "./drop-database.ts";
export { eventually } from "./eventually.ts";
export { failureOf } from "./failure.ts";
export { declaredLists, declaredQueries, type ListQueryTexts, withoutIndex } from "./list-plans.ts";
export { listenOnLoopback } from "./listen.ts";
export { serveWithKeys } from "./serve-with-keys.ts";
export { assertedAs, serviceAssertions, serviceKeyFiles, serviceKeys } from "./service-keys.ts";
export { ServiceProcess } from "./service-process.ts";
export { type RigOptions, type RigParts, ServiceRig, startReplicas } from "./service-rig.ts";
export {
  callers,
  contextSigningKey,
  permissionsOf,
  type TestCaller,
  TestClient,
  verificationKeys,
} from "./test-callers.ts";
export { environmentOf, newTestEnvironment, programEnvironment, type TestEnvironment } from "./test-environment.ts";
