export type { Callers } from "./callers.ts";
export type { Check } from "./checks/readiness.ts";
export { openReadiness } from "./checks/watch-checks.ts";
export { type CurrentCause, currentCall, currentCause } from "./current-call.ts";
export { firstMessage } from "./first-message.ts";
export { type HostConfig, hostSettings } from "./host-settings.ts";
export { type Idempotency, idempotent, idempotentPrepared, type PreparingIdempotency } from "./idempotent.ts";
export type { ErrorClass, ErrorEntry, ErrorTable } from "./interceptors/error-mapping.ts";
export { mapError } from "./interceptors/error-mapping.ts";
export { refusalCodes } from "./interceptors/refusal-record.ts";
export { assertNone, type FieldViolation, InvalidFieldsError } from "./invalid-fields-error.ts";
export { createLogger, type Logger } from "./logger.ts";
export { assertionInterceptor } from "./mesh/assertion.ts";
export { createMeshTransport, type MeshTransport, type MeshTransportOptions } from "./mesh/mesh-transport.ts";
export { LoopDelay } from "./overload/loop-delay.ts";
export type { Platform, RunningProcess, RunningService, ServiceParts } from "./platform.ts";
export {
  nameRequest,
  type RequestIdSource,
  type RequestName,
  requestIdHeader,
  requestIdSourceHeader,
} from "./request-name.ts";
export { type CheckProcess, runServiceProgram, type ServiceEnvironment } from "./run-service-program.ts";
export { runUntilSignal } from "./run-until-signal.ts";
export { acceptsMissingAssertions, openServiceKeys, serviceKeySettings } from "./service-key-settings.ts";
export { startAdminServer } from "./serving/admin-server.ts";
export { listen } from "./serving/listen.ts";
export { type ShutdownStep, shutDown } from "./serving/shutdown.ts";
export {
  defineSettings,
  readSettings,
  type Settings,
  SettingsError,
  type SettingsValues,
} from "./settings/read-settings.ts";
export { setting } from "./settings/setting.ts";
export { settingsTable } from "./settings/settings-table.ts";
export { type ServiceDefinition, startService } from "./start-service.ts";
export { callingMetrics, hostMetrics, readinessMetrics, runtimeMetrics } from "./telemetry/host-metrics.ts";
export { observeExchange } from "./telemetry/observe-exchange.ts";
export { outgoingCallInterceptor } from "./telemetry/outgoing-calls.ts";
export { startTelemetry, type Telemetry } from "./telemetry/telemetry.ts";
export type { MeshCertificateFiles } from "./tls/certificate.ts";
export { MeshIdentity } from "./tls/mesh-identity.ts";
export { type TlsConfig, tlsSettings } from "./tls/tls-settings.ts";
export { TrustedAuthorities } from "./tls/trusted-authorities.ts";
export { untrustedServer } from "./tls/untrusted-server.ts";
export { WatchedCertificate } from "./tls/watched-certificate.ts";
export { waitWithin } from "./wait-within.ts";
