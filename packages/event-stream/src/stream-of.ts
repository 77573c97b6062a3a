import type { EventStreamOptions } from "./event-stream.ts";

/** Where the stream is and how it is kept, as the settings of every service say it alike. */
export interface StreamSettings {
  NATS_URL: string;
  NATS_STREAM: string;
  NATS_STREAM_REPLICAS: number;
}

/** The same as {@link EventStreamOptions} have it. */
export function streamOf(settings: StreamSettings): Pick<EventStreamOptions, "servers" | "streamName" | "limits"> {
  const { NATS_URL: servers, NATS_STREAM: streamName, NATS_STREAM_REPLICAS: replicas } = settings;
  return { servers, streamName, limits: { replicas } };
}
