import { generateKeyPairSync, randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newPrivateKey, publicKeySet } from "@aiplatform/service-keys";
import { GenericContainer, Network, type StartedNetwork, type StartedTestContainer, Wait } from "testcontainers";

/** As pods are run: nothing can be written but /tmp, no capability, no more rights than at the start. */
class Confined extends GenericContainer {
  constructor(image: string) {
    super(image);
    this.hostConfig.ReadonlyRootfs = true;
    this.withDroppedCapabilities("ALL").withSecurityOpt("no-new-privileges").withTmpFs({ "/tmp": "rw,size=64m" });
  }
}

/** Names of the services' images. */
export type ServiceName = (typeof serviceNames)[number];
export const serviceNames = ["identity", "training", "content", "deployments", "data", "gateway"] as const;

const randomText = () => randomBytes(32).toString("base64url");

/** Secrets by the name of the setting. */
function makeSecrets(): Record<string, string> {
  return {
    CONTEXT_SIGNING_KEY: generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    API_KEY_HASH_SECRET: randomText(),
    DELEGATION_SECRET: randomText(),
    OPERATOR_KEY: randomText(),
    SECRETS_KEYS: JSON.stringify([{ id: "test", key: randomBytes(32).toString("base64") }]),
    MONGODB_URI: "mongodb://mongodb:27017/?replicaSet=rs0",
    ...serviceKeys(),
  };
}

/** The private key of each service, and the public ones of all. */
function serviceKeys(): Record<string, string> {
  const privateKeys = new Map(serviceNames.map((name) => [name, newPrivateKey()] as const));
  const own = [...privateKeys].map(([name, key]) => [`SERVICE_KEY_${name}`, key]);
  return { ...Object.fromEntries(own), SERVICE_KEYS: JSON.stringify(publicKeySet(privateKeys)) };
}

const stores = ["MONGODB_URI"];
const secretsOf: Readonly<Record<ServiceName, readonly string[]>> = {
  identity: [
    ...stores,
    "CONTEXT_SIGNING_KEY",
    "API_KEY_HASH_SECRET",
    "DELEGATION_SECRET",
    "OPERATOR_KEY",
    "SECRETS_KEYS",
  ],
  training: stores,
  content: [...stores, "DELEGATION_SECRET"],
  deployments: [...stores, "SECRETS_KEYS"],
  data: stores,
  gateway: [],
};

const settingsOf: Readonly<Record<ServiceName, Readonly<Record<string, string>>>> = {
  identity: { IDENTITY_ADDRESS: "identity:50051" },
  training: { DEPLOYMENTS_ADDRESS: "deployments:50051", DATA_ADDRESS: "data:50051" },
  content: {
    TRAINING_ADDRESS: "training:50051",
    DEPLOYMENTS_ADDRESS: "deployments:50051",
    DATA_ADDRESS: "data:50051",
  },
  deployments: {
    TRAINING_ADDRESS: "training:50051",
    ARTIFACTS_DIRECTORY: "/tmp/artifacts",
    SERVING_HOST: "deployments",
    TRUST_SERVING_CODE: "true",
  },
  data: {
    CONTENT_ADDRESS: "content:50051",
    DEPLOYMENTS_ADDRESS: "deployments:50051",
    // In its size of /tmp.
    DATA_CACHE_BYTES: "1048576",
    DATA_TEMPORARY_DISK_MB: "64",
    DATA_SANDBOX: "none",
  },
  gateway: {
    IDENTITY_HTTP_URL: "http://identity:8080",
    TRAINING_ADDRESS: "training:50051",
    TRAINING_HTTP_URL: "http://training:8080",
    CONTENT_ADDRESS: "content:50051",
    CONTENT_HTTP_URL: "http://content:8080",
    DEPLOYMENTS_ADDRESS: "deployments:50051",
    DEPLOYMENTS_HTTP_URL: "http://deployments:8080",
    DATA_ADDRESS: "data:50051",
    DATA_HTTP_URL: "http://data:8080",
  },
};

/** A service that runs from its image. */
export interface RunningImage {
  readonly container: StartedTestContainer;
  /** From the start of the container until it took calls, milliseconds. */
  readonly readyMs: number;
}

/** The whole platform, each service a container of its image beside a MongoDB and a NATS. */
export interface ImageMesh extends AsyncDisposable {
  readonly services: ReadonlyMap<ServiceName, RunningImage>;
  readonly operatorKey: string;
  /** URL of a port of a service, from here. */
  url(service: ServiceName, port: number): string;
}

/** Starts everything, from images with the tag. Rejects with what the container said that did not get ready. */
export async function startImageMesh(tag: string): Promise<ImageMesh> {
  await using unfinished = new AsyncDisposableStack();
  const network = await new Network().start();
  unfinished.defer(async () => void (await network.stop()));
  for (const part of await Promise.all([startMongodb(network), startNats(network)]))
    unfinished.defer(async () => void (await part.stop()));
  const secrets = makeSecrets();
  const folder = await writeSecrets(secrets);
  unfinished.defer(() => rm(folder, { recursive: true }));
  const services = new Map<ServiceName, RunningImage>();
  for (const name of serviceNames) {
    const service = await startService(name, { tag, network, folder });
    unfinished.defer(async () => void (await service.container.stop()));
    services.set(name, service);
  }
  const parts = unfinished.move();
  return {
    services,
    operatorKey: secrets["OPERATOR_KEY"] ?? "",
    url(name, port) {
      const container = services.get(name)?.container;
      return `http://${container?.getHost()}:${container?.getMappedPort(port)}`;
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** One file per secret, which the images' user can read. */
async function writeSecrets(secrets: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "image-secrets-"));
  await chmod(folder, 0o755);
  for (const [name, text] of Object.entries(secrets)) await writeFile(join(folder, name), text, { mode: 0o644 });
  return folder;
}

async function startMongodb(network: StartedNetwork): Promise<StartedTestContainer> {
  const container = await new GenericContainer("mongo:7.0")
    .withCommand(["--replSet", "rs0", "--bind_ip_all", "--nounixsocket"])
    .withNetwork(network)
    .withNetworkAliases("mongodb")
    .withExposedPorts(27_017)
    .withWaitStrategy(Wait.forLogMessage("Waiting for connections"))
    .start();
  const { MongoClient } = await import("mongodb");
  const uri = `mongodb://${container.getHost()}:${container.getMappedPort(27_017)}/?directConnection=true`;
  await using client = new MongoClient(uri);
  const config = { _id: "rs0", members: [{ _id: 0, host: "mongodb:27017" }] };
  await client.db("admin").command({ replSetInitiate: config });
  return container;
}

function startNats(network: StartedNetwork): Promise<StartedTestContainer> {
  return new GenericContainer("nats:2.12")
    .withCommand(["--jetstream", "--store_dir", "/tmp/jetstream"])
    .withNetwork(network)
    .withNetworkAliases("nats")
    .withExposedPorts(4_222)
    .withWaitStrategy(Wait.forLogMessage("Server is ready"))
    .start();
}

async function startService(
  name: ServiceName,
  { tag, network, folder }: { tag: string; network: StartedNetwork; folder: string },
): Promise<RunningImage> {
  const files = secretsOf[name].map((secret) => [`${secret}_FILE`, `/run/secrets/${secret}`]);
  let said = "";
  const started = performance.now();
  const container = await new Confined(`aiplatform/${name}:${tag}`)
    .withEnvironment({
      NATS_URL: "nats://nats:4222",
      ...(name === "gateway" ? {} : { MONGODB_DATABASE: name }),
      IDENTITY_ADDRESS: "identity:50051",
      SERVICE_KEY_FILE: `/run/secrets/SERVICE_KEY_${name}`,
      SERVICE_KEYS_FILE: "/run/secrets/SERVICE_KEYS",
      ...settingsOf[name],
      ...Object.fromEntries(files),
    })
    .withBindMounts([{ source: folder, target: "/run/secrets", mode: "ro" }])
    .withNetwork(network)
    .withNetworkAliases(name)
    .withExposedPorts(8_080, 9_090, ...(name === "gateway" ? [] : [50_051]))
    .withWaitStrategy(Wait.forHttp("/readyz", 9_090).forStatusCode(200))
    .withStartupTimeout(60_000)
    .withLogConsumer((log) => log.on("data", (line: Buffer) => (said += line.toString())))
    .start()
    .catch((error: unknown) => {
      throw new Error(`the image of ${name} did not get ready; it said:\n${said}`, { cause: error });
    });
  return { container, readyMs: performance.now() - started };
}
