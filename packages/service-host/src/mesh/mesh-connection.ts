import { type Client, connectivityState } from "@grpc/grpc-js";

/**
 * Longest time without a connection before the attempt is given up for a new one. grpc-js sets an attempt no time limit,
 * and one whose packets are lost would go on for two minutes although the peer is back.
 */
const maxAttemptMs = 3_000;

/** One HTTP/2 connection to one address that is made again whenever it is lost, whether or not calls want it. */
export class MeshConnection {
  readonly #open: () => Client;
  readonly #changed: () => void;
  #client: Client | undefined;
  #ready = false;
  #attempt: NodeJS.Timeout | undefined;

  /** `changed` is called when the connection is there or lost. */
  constructor(open: () => Client, changed: () => void) {
    this.#open = open;
    this.#changed = changed;
  }

  /** What makes calls on the connection; undefined while there is none. */
  get ready(): Client | undefined {
    return this.#ready ? this.#client : undefined;
  }

  start(): void {
    if (this.#client) return;
    this.#client = this.#open();
    this.#limitAttempt(this.#client);
    this.#follow(this.#client);
  }

  /** Calls under way end where they are. */
  stop(): void {
    const client = this.#client;
    clearTimeout(this.#attempt);
    this.#client = undefined;
    this.#ready = false;
    client?.close();
  }

  #follow(client: Client): void {
    if (this.#client !== client) return;
    const channel = client.getChannel();
    // `true`: an idle channel connects, without a call that asks it to.
    const state = channel.getConnectivityState(true);
    this.#note(client, state);
    // What was told of it may have stopped the connection, and a closed channel refuses to be watched.
    if (this.#client !== client) return;
    channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, () => {
      if (this.#client !== client) return;
      this.#note(client, channel.getConnectivityState(false));
      // Not at once: grpc-js is in the middle of its own change of state.
      setImmediate(() => this.#follow(client));
    });
  }

  #note(client: Client, state: connectivityState): void {
    const ready = state === connectivityState.READY;
    if (ready === this.#ready) return;
    this.#ready = ready;
    if (ready) clearTimeout(this.#attempt);
    else this.#limitAttempt(client);
    this.#changed();
  }

  #limitAttempt(client: Client): void {
    const giveUp = () => {
      if (this.#client !== client) return;
      this.stop();
      this.start();
    };
    clearTimeout(this.#attempt);
    this.#attempt = setTimeout(giveUp, maxAttemptMs).unref();
  }
}
