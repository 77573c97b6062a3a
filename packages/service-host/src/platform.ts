import type { CredentialExchange } from "@aiplatform/caller-identity";
import type { CallRefused } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import type { ConnectRouter } from "@connectrpc/connect";
import type { Meter, Tracer } from "@opentelemetry/api";
import type { Check } from "./checks/readiness.ts";
import type { Logger } from "./logger.ts";
import type { MeshTransport } from "./mesh/mesh-transport.ts";
import type { ShutdownStep } from "./serving/shutdown.ts";

/** What the host gives a service to build itself from. */
export interface Platform {
  readonly logger: Logger;
  readonly clock: () => Date;
  /** A UUID, version 7. */
  readonly newId: () => string;
  /** Aborts when the service begins to drain: start nothing new in the background from then on. */
  readonly signal: AbortSignal;
  readonly meter: Meter;
  readonly tracer: Tracer;
  /**
   * Transport to another service, one per address; deadline, trace and request id of the current call travel along, and the
   * proof of which service calls.
   */
  readonly peers: (address: string | readonly string[]) => MeshTransport;
  /** How credentials become callers here; absent where callers are verified by signed context alone. */
  readonly exchange?: CredentialExchange;
}

/** What a service gives the host to serve. */
export interface ServiceParts {
  readonly routes: (router: ConnectRouter) => void;
  /** What this service cannot do its own work without, by name: while one fails it is not ready. */
  readonly checks: Readonly<Record<string, Check>>;
  /** What it works with and can do without for a while: told on /readyz and as a metric, and it stays ready. */
  readonly dependencies?: Readonly<Record<string, Check>>;
  /**
   * Told once of every call that was refused: no acceptable credential, a permission missing, an id that is not the
   * caller's organisation's. Must neither throw nor wait. Default: not reported.
   */
  readonly refusals?: (refused: CallRefused) => void;
  /** Called before calls are refused, for instance to tell streams to reconnect elsewhere. */
  readonly drain?: () => Promise<void>;
  /** Done in order once the last call is over, as steps of the shutdown. */
  readonly close: readonly ShutdownStep[];
}

/** Something that runs until it is stopped. */
export interface RunningProcess extends AsyncDisposable {
  readonly name: string;
  /** Where it listens, by the name of the port. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Drains and closes; a second call waits for the first. @throws ShutdownError when a step failed. */
  stop(): Promise<void>;
}

/** A service that serves. */
export interface RunningService extends RunningProcess {
  readonly addresses: {
    /** `host:port` */
    readonly grpc: string;
    /** `http://host:port`, `https://…` inside a mesh with certificates */
    readonly http: string;
    /** `http://host:port` */
    readonly admin: string;
  };
}
