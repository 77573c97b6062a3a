import { createFinalURL, createQuerySerializer, defaultPathSerializer } from "openapi-fetch";
import type { PlatformClient, StreamOf, StreamParams, StreamPath } from "./platform-client.ts";
import type { ServerEvent } from "./server-events.ts";
import { maxStreams, StreamConnection, type StreamConnectionState } from "./stream-connection.ts";

/** How streams share their connection. */
export interface SharedStreamsOptions {
  /** Told when the connection is lost, and when it is there again. */
  onState?: (state: StreamConnectionState) => void;
}

/** Streams that share one connection. */
export interface SharedStreams {
  /**
   * Follows a stream as `PlatformClient.events` does, from the last event on when the connection breaks, for ever. It ends when the platform
   * ends it well, or by `signal`.
   * @throws PlatformError when it is refused, or fails for good
   */
  events<Path extends StreamPath>(
    path: Path,
    params: StreamParams<Path>,
    signal?: AbortSignal,
  ): AsyncGenerator<ServerEvent<StreamOf<Path>>, void, undefined>;
}

/**
 * Streams of a page or a program over one connection, up to 32 over each: a browser has only six to an address over HTTP/1.1. The
 * connection is there while a stream is followed. A change of the streams opens it again from the last event of each. At an earlier
 * platform, which has no such connections, each stream has its own.
 */
export function sharedStreams(
  platform: Pick<PlatformClient, "POST" | "events">,
  { onState = () => {} }: SharedStreamsOptions = {},
): SharedStreams {
  const connections: StreamConnection[] = [];
  const withRoom = (): StreamConnection => {
    const found = connections.find(({ size }) => size < maxStreams);
    if (found) return found;
    const added = new StreamConnection({ platform, onState });
    connections.push(added);
    return added;
  };
  return {
    async *events(path, params, signal) {
      const alone = (lastEventId: string) => platform.events(path, params, signal, lastEventId);
      yield* withRoom().follow(targetOf(path, params), alone, signal);
    },
  };
}

function targetOf(path: string, params: { path: object; query?: object }): string {
  return createFinalURL(path, {
    baseUrl: "",
    params: { path: { ...params.path }, query: { ...params.query } },
    pathSerializer: defaultPathSerializer,
    querySerializer: createQuerySerializer(),
  });
}
