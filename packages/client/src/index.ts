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
export { type CommandAddress, settledCommand } from "./settled-command.ts";
export {
  type DeploymentState,
  type DeploymentWaitOptions,
  type RolloutAddress,
  settledDeployment,
} from "./settled-deployment.ts";
export { type SendingProgress, type SendingWaitOptions, settledSending } from "./settled-sending.ts";
export { type SharedStreams, type SharedStreamsOptions, sharedStreams } from "./shared-streams.ts";
export type { StreamConnectionState } from "./stream-connection.ts";
export type { WaitOptions } from "./wait-options.ts";
