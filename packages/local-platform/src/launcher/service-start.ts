import { existsSync } from "node:fs";
import { join } from "node:path";
import type { InfraName } from "../infra/servers/infra.ts";

/** Where the servers answer, or will answer. */
export interface ServerAddresses {
  readonly mongodbUri: string;
  readonly natsUrl: string;
}

export interface ServiceStartOptions {
  /** Where the data of the servers lies. */
  readonly directory: string;
  /** Starts all services, which wait for the servers. Rejects when one has ended; what is left of it is ended by `stop`. */
  readonly start: (at: ServerAddresses) => Promise<void>;
  /** Ends the services that were started. */
  readonly stop: () => Promise<void>;
}

/**
 * The start of the services: beside that of the servers, where these have data of an earlier start, else after it. Loading their programs
 * takes a service as long as a server needs to answer. On a server without data they would be refused: their users are not there yet.
 */
export class ServiceStart {
  readonly #options: ServiceStartOptions;
  readonly #mayBeginEarly: boolean;
  readonly #places: Partial<Record<InfraName, string>> = {};
  #begun: { at: ServerAddresses; isStarted: Promise<boolean> } | undefined;
  #isGivenUp = false;

  /** To be made before the servers begin to start. */
  constructor(options: ServiceStartOptions) {
    this.#options = options;
    this.#mayBeginEarly = existsSync(join(options.directory, "mongodb", "data"));
  }

  /** Hears where a server will answer. */
  readonly located = (server: InfraName, uri: string): void => {
    this.#places[server] = uri;
    const { mongodb, nats } = this.#places;
    if (!mongodb || !nats || !this.#mayBeginEarly || this.#begun || this.#isGivenUp) return;
    const at = { mongodbUri: mongodb, natsUrl: nats };
    const started = this.#options.start(at);
    // Why it failed is told by the second attempt, which finds servers that answer.
    const isStarted = started.then(
      () => true,
      () => false,
    );
    this.#begun = { at, isStarted };
  };

  /** Resolves once all services are ready. To be called when the servers answer. @throws whatever stopped one */
  async finish(at: ServerAddresses): Promise<void> {
    const begun = this.#begun;
    this.#isGivenUp = true;
    const isThere = begun?.at.mongodbUri === at.mongodbUri && begun.at.natsUrl === at.natsUrl;
    if (isThere && (await begun.isStarted)) return;
    if (begun) await this.#options.stop();
    await this.#options.start(at);
  }

  /** Begins nothing from now on. */
  giveUp(): void {
    this.#isGivenUp = true;
  }
}
