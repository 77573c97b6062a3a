import type { Logger, WatchedCertificate } from "@aiplatform/service-host";
import type { V1Secret } from "@kubernetes/client-node";
import type { ServingTls } from "../serving-tls.ts";
import type { Cluster } from "./cluster.ts";
import { ownLabels } from "./version-names.ts";

/** Name of the Secret that the pods of all versions mount, and of what is in it. */
export const sharedSecret = {
  name: "serving-tls",
  certificate: "tls.crt",
  key: "tls.key",
  filesAuthority: "files-ca.crt",
} as const;

/** What pods share; with neither, there is no such Secret. */
export interface SharedContents {
  /** Certificate and key of every instance. */
  readonly tls?: ServingTls | undefined;
  /** What the server of the files shows: pods hold it to the authorities of this. */
  readonly certificate?: WatchedCertificate | undefined;
}

interface Dependencies extends SharedContents {
  readonly cluster: Pick<Cluster, "applySecret">;
  readonly logger: Pick<Logger, "warn">;
}

/** It is brought up to date so often: files are replaced, and another client may have changed it. */
const everyMs = 60_000;

/**
 * Keeps in the cluster what the pods of all versions mount: files that are replaced reach running pods by it. Stops watching
 * the files at its end.
 */
export class SharedSecret implements Disposable {
  readonly #dependencies: Dependencies;
  readonly #timer: NodeJS.Timeout;
  #isApplied = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#timer = setInterval(() => void this.#refresh(), everyMs).unref();
    for (const watched of [dependencies.tls?.certificate, dependencies.certificate]) {
      watched?.onRenewal(() => void this.#refresh());
    }
  }

  /** Makes it before the first pod that mounts it. @throws ClusterRefusalError, ClusterUnavailableError */
  async ensure(): Promise<void> {
    if (!this.#isApplied) await this.#apply();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#dependencies.tls?.close();
    this.#dependencies.certificate?.close();
  }

  async #refresh(): Promise<void> {
    try {
      await this.#apply();
    } catch (error) {
      const said = "the certificate of instances is not in the cluster yet; it is tried again in a minute";
      this.#dependencies.logger.warn({ err: error, secret: sharedSecret.name }, said);
    }
  }

  async #apply(): Promise<void> {
    const secret = secretWith(this.#dependencies);
    if (secret) await this.#dependencies.cluster.applySecret(secret);
    this.#isApplied = true;
  }
}

function secretWith({ tls, certificate }: SharedContents): V1Secret | undefined {
  const { cert, key } = tls?.certificate.options ?? {};
  const contents = {
    [sharedSecret.certificate]: cert,
    [sharedSecret.key]: key,
    [sharedSecret.filesAuthority]: certificate?.options.ca,
  };
  const data = Object.entries(contents).flatMap(([name, bytes]) => (bytes ? [[name, bytes.toString("base64")]] : []));
  if (data.length === 0) return undefined;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: sharedSecret.name, labels: ownLabels },
    type: "Opaque",
    data: Object.fromEntries(data),
  };
}
