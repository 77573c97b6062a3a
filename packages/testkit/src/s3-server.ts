import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinary, freePorts, rcloneBinary, SupervisedProcess } from "@aiplatform/local-platform";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";

/** A real S3-compatible server over a directory. */
export class S3Server implements AsyncDisposable {
  readonly url: string;
  readonly accessKeyId: string = randomUUID();
  readonly secretAccessKey: string = randomUUID();
  readonly #directory: string;
  readonly #process: SupervisedProcess;

  private constructor(directory: string, { binary, port }: { binary: string; port: number }) {
    const address = `127.0.0.1:${port}`;
    this.url = `http://${address}`;
    this.#directory = directory;
    const key = `${this.accessKeyId},${this.secretAccessKey}`;
    this.#process = new SupervisedProcess({
      name: "rclone",
      command: binary,
      args: [
        "serve",
        "s3",
        "--addr",
        address,
        "--auth-key",
        key,
        "--vfs-cache-mode",
        "off",
        join(directory, "buckets"),
      ],
      env: { RCLONE_CONFIG: join(directory, "rclone.conf") },
      logFile: join(directory, "rclone.log"),
      ready: async () => (await fetch(this.url)).status > 0,
      log: () => undefined,
    });
  }

  static async start(): Promise<S3Server> {
    const found = await findBinary(rcloneBinary);
    if (found.path === undefined) throw new Error(`there is no S3-compatible server: ${found.obstacles.join("; ")}`);
    const directory = await mkdtemp(join(tmpdir(), "s3-"));
    const [port = 0] = await freePorts([0]);
    const server = new S3Server(directory, { binary: found.path, port });
    await mkdir(join(directory, "buckets"));
    await server.#process.start();
    return server;
  }

  /** Makes a bucket; answers the settings that lead deployments there. */
  async bucket(name: string): Promise<Record<string, string>> {
    await mkdir(join(this.#directory, "buckets", name));
    return {
      ARTIFACTS_S3_URL: `${this.url}/${name}/kept`,
      ARTIFACTS_S3_ACCESS_KEY_ID: this.accessKeyId,
      ARTIFACTS_S3_SECRET_ACCESS_KEY: this.secretAccessKey,
    };
  }

  /** Stores an object in a bucket that was made. */
  async put(bucket: string, key: string, content: string): Promise<void> {
    const { url: endpoint, accessKeyId, secretAccessKey } = this;
    const credentials = { accessKeyId, secretAccessKey };
    const client = new S3Client({ endpoint, credentials, region: "us-east-1", forcePathStyle: true });
    try {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content }));
    } finally {
      client.destroy();
    }
  }

  /** Ends the server as a power cut would, until {@link start}. */
  kill(): Promise<void> {
    return this.#process.kill("SIGKILL");
  }

  start(): Promise<void> {
    return this.#process.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
