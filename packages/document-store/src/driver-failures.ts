import { isNativeError } from "node:util/types";
import { MongoBulkWriteError, MongoError, MongoServerError } from "mongodb";

/**
 * What a failure of the driver is about: the database is away (repeat the request later), others hold the same documents
 * (repeat it now), or the call itself is wrong (repeating does not help).
 */
export type DriverFailure = "unavailable" | "conflict" | "fault";

/**
 * Every error class of the driver by its name. `byCode`: the server answered, and its code decides. A class of the driver that
 * is missing here fails a test.
 */
export const failureOfClass: Readonly<Record<string, DriverFailure | "byCode">> = {
  MongoNetworkError: "unavailable",
  MongoNetworkTimeoutError: "unavailable",
  MongoPoolClearedError: "unavailable",
  PoolClearedOnNetworkError: "unavailable",
  MongoWaitQueueTimeoutError: "unavailable",
  MongoSystemError: "unavailable",
  MongoServerSelectionError: "unavailable",
  MongoOperationTimeoutError: "unavailable",
  MongoStalePrimaryError: "unavailable",
  // The client is closed: this process is ending, and another replica can answer.
  MongoPoolClosedError: "unavailable",
  MongoNotConnectedError: "unavailable",
  MongoServerClosedError: "unavailable",
  MongoTopologyClosedError: "unavailable",
  MongoClientClosedError: "unavailable",
  // The write may be stored, but not on a majority: its outcome is unknown.
  MongoWriteConcernError: "unavailable",
  MongoServerError: "byCode",
  MongoBulkWriteError: "byCode",
  MongoClientBulkWriteError: "byCode",
  MongoError: "fault",
  MongoDriverError: "fault",
  MongoAPIError: "fault",
  MongoRuntimeError: "fault",
  MongoBatchReExecutionError: "fault",
  MongoChangeStreamError: "fault",
  MongoClientBulkWriteCursorError: "fault",
  MongoClientBulkWriteExecutionError: "fault",
  MongoCompatibilityError: "fault",
  MongoCursorExhaustedError: "fault",
  MongoCursorInUseError: "fault",
  MongoDecompressionError: "fault",
  MongoExpiredSessionError: "fault",
  MongoGridFSChunkError: "fault",
  MongoGridFSStreamError: "fault",
  MongoInvalidArgumentError: "fault",
  MongoParseError: "fault",
  MongoTailableCursorError: "fault",
  MongoTransactionError: "fault",
  MongoUnexpectedServerResponseError: "fault",
  // Logins and encryption that the platform does not use.
  MongoAWSError: "fault",
  MongoAzureError: "fault",
  MongoGCPError: "fault",
  MongoKerberosError: "fault",
  MongoOIDCError: "fault",
  MongoMissingCredentialsError: "fault",
  MongoMissingDependencyError: "fault",
  MongoCryptError: "fault",
  MongoCryptAzureKMSRequestError: "fault",
  MongoCryptCreateDataKeyError: "fault",
  MongoCryptCreateEncryptedCollectionError: "fault",
  MongoCryptInvalidArgumentError: "fault",
  MongoCryptKMSRequestNetworkTimeoutError: "fault",
};

/** Codes of the server; those that are missing are faults. */
export const failureOfCode: ReadonlyMap<number, DriverFailure> = new Map([
  ...[
    6, // HostUnreachable
    7, // HostNotFound
    43, // CursorNotFound: it ended with the member that kept it
    50, // MaxTimeMSExpired
    64, // WriteConcernTimeout
    89, // NetworkTimeout
    91, // ShutdownInProgress
    100, // UnsatisfiableWriteConcern
    133, // FailedToSatisfyReadPreference
    134, // ReadConcernMajorityNotAvailableYet
    175, // QueryPlanKilled
    189, // PrimarySteppedDown
    202, // NetworkInterfaceExceededTimeLimit
    237, // CursorKilled
    262, // ExceededTimeLimit
    279, // ClientDisconnect
    384, // ConnectionError
    462, // IngressRequestRateLimitExceeded
    9001, // SocketException
    10058, // LegacyNotPrimary
    10107, // NotWritablePrimary
    11600, // InterruptedAtShutdown
    11601, // Interrupted
    11602, // InterruptedDueToReplStateChange
    13435, // NotPrimaryNoSecondaryOk
    13436, // NotPrimaryOrSecondary
    14031, // OutOfDiskSpace
  ].map((code) => [code, "unavailable"] as const),
  ...[
    24, // LockTimeout
    112, // WriteConflict
    251, // NoSuchTransaction: the server ended it
    290, // TransactionExceededLifetimeLimitSeconds
  ].map((code) => [code, "conflict"] as const),
]);

/** Labels by which the server or the driver says that the call may be repeated, whatever the code. */
const repeatableLabels = [
  "TransientTransactionError",
  "UnknownTransactionCommitResult",
  "RetryableWriteError",
  "RetryableError",
  "SystemOverloadedError",
];

/** Codes of Node's errors of sockets, which the driver lets through here and there as they are. */
export const unavailableSystemCodes: ReadonlySet<string> = new Set([
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "ECANCELED",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "EMFILE",
  "ENETDOWN",
  "ENETRESET",
  "ENETUNREACH",
  "ENFILE",
  "ENOBUFS",
  "ENOTCONN",
  "ENOTFOUND",
  "EPIPE",
  "EPROTO",
  "ESHUTDOWN",
  "ETIMEDOUT",
  "ERR_SOCKET_CLOSED",
  "ERR_SOCKET_CLOSED_BEFORE_CONNECTION",
  "ERR_SOCKET_CONNECTION_TIMEOUT",
  "ERR_STREAM_ALREADY_FINISHED",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_PREMATURE_CLOSE",
  "ERR_STREAM_WRITE_AFTER_END",
]);

/** What a failure is about; undefined for what comes neither from the driver nor from a socket. */
export function driverFailure(error: unknown): DriverFailure | undefined {
  // Errors of Node itself may belong to another realm, where `instanceof` knows nothing of them.
  if (!isNativeError(error)) return undefined;
  if (error instanceof MongoError) return ofDriver(error);
  return "code" in error && unavailableSystemCodes.has(String(error.code)) ? "unavailable" : undefined;
}

function ofDriver(error: MongoError): DriverFailure {
  const ofClass = failureOfClass[error.name] ?? "fault";
  const own = ofClass === "byCode" ? ofServer(error) : ofClass;
  return own === "fault" && repeatableLabels.some((label) => error.hasErrorLabel(label)) ? "unavailable" : own;
}

function ofServer(error: MongoError): DriverFailure {
  const code = error instanceof MongoServerError ? Number(error.code) : Number.NaN;
  const known = failureOfCode.get(code);
  // The driver gives a failure of the whole command, such as a conflict in a transaction, the form of a batch as well.
  if (known !== undefined) return known;
  // The write concern of a batch was not met, and no document of it was refused.
  return error instanceof MongoBulkWriteError && [error.writeErrors].flat().length === 0 ? "unavailable" : "fault";
}
