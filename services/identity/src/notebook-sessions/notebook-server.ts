/** A server as the hub describes it. */
export interface HubServer {
  /** Empty for a user's default server. */
  name: string;
  /** What the hub is doing with it; undefined: nothing. */
  pending: string | undefined;
  /** It answers. */
  ready: boolean;
  /** It neither runs nor is about to. */
  stopped: boolean;
  /** Why its last start failed, in the hub's words; undefined when it did not fail, or the hub does not know. */
  spawnFailure: string | undefined;
  /** Its path, such as `/notebooks/user/ada/`. */
  url: string | undefined;
  startedAt: Date | undefined;
  lastActivity: Date | undefined;
}

/** Where a server stands; `failed` has a reason. */
export interface ServerState {
  status: "none" | "starting" | "running" | "stopping" | "failed";
  error?: string;
}

/** What the hub is doing, and how many minutes it may take. */
interface HubOperation {
  status: "starting" | "stopping";
  minutes: number;
  failure: string;
}

const start: HubOperation = { status: "starting", minutes: 10, failure: "The notebook server did not start in time" };
const hubOperations: ReadonlyMap<string, HubOperation> = new Map([
  ["spawn", start],
  ["stop", { status: "stopping", minutes: 2, failure: "The notebook server did not stop in time" }],
  // After its own restart a hub looks whether the server is still there, and may look for ever.
  ["check", { status: "starting", minutes: 2, failure: "The hub does not find out whether the notebook server runs" }],
]);

/** `pendingSince`: when what is pending began. Whatever the hub is busy with ends, here at least, after its time. */
export function serverState(server: HubServer, { now, pendingSince }: { now: Date; pendingSince: Date }): ServerState {
  if (server.pending !== undefined) {
    const { status, minutes, failure } = hubOperations.get(server.pending) ?? start;
    const overdue = now.getTime() - pendingSince.getTime() > minutes * 60_000;
    return overdue ? { status: "failed", error: failure } : { status };
  }
  if (server.ready) return { status: "running" };
  if (server.stopped && server.spawnFailure !== undefined) {
    return { status: "failed", error: `The notebook server did not start: ${server.spawnFailure}` };
  }
  if (server.stopped) return { status: "none" };
  return { status: "failed", error: "The hub does not say where the notebook server stands" };
}
