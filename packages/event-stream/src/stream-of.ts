import type { EventStreamOptions } from "./event-stream.ts";
import type { NatsLogin } from "./nats-login.ts";

/** Where the stream is and how it is kept, as the settings of every service say it alike. */
export interface StreamSettings {
  NATS_URL: string;
  NATS_STREAM: string;
  NATS_STREAM_REPLICAS: number;
  NATS_STREAM_MAX_BYTES: number;
  NATS_NKEY?: string | undefined;
  NATS_CA_FILE?: string | undefined;
  EVENT_SIGNATURES: string;
}

/** How these settings sign in. */
export function loginOf({ NATS_NKEY: nkey, NATS_CA_FILE: caFile }: Partial<StreamSettings>): NatsLogin {
  return { nkey, caFile };
}

/** The platform's own durable consumers: what one of them has not read stays in the stream. */
export const platformReaders = [
  "content-deleted-organisations",
  "content-forgotten-histories",
  "content-forgotten-runs",
  "content-quotas",
  "content-suspended-organisations",
  "content-told-owners",
  "content-triggers",
  "content-uses-of-deployments",
  "content-uses-of-workspaces",
  "data-deleted-datasets",
  "data-deleted-organisations",
  "data-quotas",
  "deployments-datasets",
  "deployments-deleted-organisations",
  "deployments-deleted-runs",
  "deployments-quotas",
  "deployments-training",
  "identity-audit",
  "identity-datasets",
  "identity-grouping",
  "identity-pipelines",
  "identity-purged-organisations",
  "training-deleted-organisations",
  "training-member-deactivated",
  "training-quotas",
  "training-run-states",
] as const;

/** The same as {@link EventStreamOptions} have it. */
export function streamOf(
  settings: StreamSettings,
): Pick<EventStreamOptions, "servers" | "login" | "streamName" | "limits" | "readers" | "acceptsUnsigned"> {
  const { NATS_URL: servers, NATS_STREAM: streamName } = settings;
  const limits = { replicas: settings.NATS_STREAM_REPLICAS, maxBytes: settings.NATS_STREAM_MAX_BYTES };
  const acceptsUnsigned = settings.EVENT_SIGNATURES === "accept-unsigned";
  return { servers, login: loginOf(settings), streamName, limits, readers: platformReaders, acceptsUnsigned };
}
