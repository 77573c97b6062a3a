import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServingTls } from "../serving-tls.ts";

const notWritten =
  "the new certificate of instances could not be written, and they show the one before: make room on the disk and restart this service";

/**
 * The instances' certificate and key where each of them can read both, since an instance can be another user; the driver's
 * own directory above keeps them from others. What replaces them is written there as well.
 */
export class InstanceCertificate implements AsyncDisposable {
  readonly directory: string;
  readonly tls: ServingTls;
  #writing: Promise<void> = Promise.resolve();

  private constructor(directory: string, tls: ServingTls) {
    this.directory = directory;
    this.tls = tls;
    tls.certificate.onRenewal(() => {
      this.#writing = this.#writing
        .then(() => this.#write())
        .catch((error: unknown) => tls.logger.error({ err: error, directory }, notWritten));
    });
  }

  static async write(directory: string, tls: ServingTls): Promise<InstanceCertificate> {
    await mkdir(directory);
    await chmod(directory, 0o755);
    const written = new InstanceCertificate(directory, tls);
    await written.#write();
    return written;
  }

  /** What an instance is told. */
  get env(): Record<string, string> {
    return { TLS_CERT_FILE: join(this.directory, "tls.crt"), TLS_KEY_FILE: join(this.directory, "tls.key") };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.tls.close();
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { cert, key } = this.tls.certificate.options;
    for (const [name, bytes] of [
      ["tls.crt", cert],
      ["tls.key", key],
    ] as const) {
      const path = join(this.directory, name);
      await writeFile(`${path}.new`, bytes);
      await chmod(`${path}.new`, 0o444);
      await rename(`${path}.new`, path);
    }
  }
}
