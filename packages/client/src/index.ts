export type { components, operations, paths } from "../gen/api.d.ts";
export { createPlatformClient, type PlatformClient, type PlatformClientOptions } from "./platform-client.ts";
export {
  answerOf,
  PlatformError,
  PlatformUnreachableError,
  type Problem,
  StreamFailedError,
} from "./platform-error.ts";
export { type RetryPolicy, repeatingFetch } from "./repeating-fetch.ts";
export { type ServerEvent, serverEvents } from "./server-events.ts";
export { type AutomationRun, settledAutomationRun } from "./settled-automation-run.ts";
export { type JobAddress, settledCommand } from "./settled-command.ts";
export { type DeploymentState, type DeploymentWait, settledDeployment } from "./settled-deployment.ts";
export { type SendingProgress, settledSending } from "./settled-sending.ts";
