import { networkInterfaces } from "node:os";
import { createLogger } from "@aiplatform/service-host";
import { type ArtifactStore, sha256Of } from "../../src/artifacts/artifact-store.ts";
import type { VersionFile } from "../../src/deployment-versions/deployment-version.ts";
import { startVersionFiles, type VersionFilesServer } from "../../src/serving/kubernetes-driver/version-files.ts";
import type { InstanceSet } from "../../src/serving/serving-driver.ts";

/** The runtime's image, which the nodes have. @throws how to come by it */
export function servingImage(): string {
  const image = process.env["SERVING_IMAGE"];
  if (image) return image;
  throw new Error(
    "these tests need the serving runtime's image on the nodes: make it with `npm run images -- --service serving-runtime`, and name it in SERVING_IMAGE",
  );
}

/** An address of this machine that pods can reach: TEST_HOST_ADDRESS, else the first that is no loopback. */
export function hostAddress(): string {
  const named = process.env["TEST_HOST_ADDRESS"];
  if (named) return named;
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outer = addresses.find(({ internal, family }) => !internal && family === "IPv4");
  if (!outer) throw new Error("this machine has no address that pods could reach: name one in TEST_HOST_ADDRESS");
  return outer.address;
}

/** Versions' files where pods fetch them from. */
export class PodFiles implements AsyncDisposable {
  readonly #artifacts = new Map<string, Uint8Array>();
  readonly #versions = new Map<string, InstanceSet>();
  #server: VersionFilesServer | undefined;

  static async open(): Promise<PodFiles> {
    const files = new PodFiles();
    const read = async function* (_organisationId: string, sha256: string) {
      yield files.#artifacts.get(sha256) ?? new Uint8Array();
    };
    const artifacts: Pick<ArtifactStore, "read" | "sizeOf"> = {
      read,
      sizeOf: async (_organisationId, sha256) => files.#artifacts.get(sha256)?.byteLength,
    };
    const versions = { find: async (_organisationId: string, id: string) => files.#versions.get(id) };
    const logger = createLogger({ service: "test", level: "silent" });
    files.#server = await startVersionFiles({ artifacts, versions, logger, host: "0.0.0.0", port: 0 });
    return files;
  }

  get url(): string {
    return `http://${hostAddress()}:${this.#server?.port}`;
  }

  /** A file with a text, as a version names it. */
  file(path: string, text: string): VersionFile {
    const bytes = Buffer.from(text, "utf8");
    const sha256 = sha256Of(bytes);
    this.#artifacts.set(sha256, bytes);
    return { path, sha256, sizeBytes: bytes.byteLength };
  }

  /** Lets a version's pods have its files. */
  offer(set: InstanceSet): InstanceSet {
    this.#versions.set(set.versionId, set);
    return set;
  }

  /** Puts other bytes in the place of a file's, or none. */
  spoil({ sha256, sizeBytes }: VersionFile, how: "missing" | "corrupt"): void {
    if (how === "missing") this.#artifacts.delete(sha256);
    else this.#artifacts.set(sha256, new Uint8Array(sizeBytes));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }
}
