import type { ChildProcess } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { mnistJob } from "@aiplatform/mnist-trainer/mnist-job";
import type { MeshCertificateFiles } from "@aiplatform/service-host";
import type { OauthClient } from "../fakes/oauth/oauth-client.ts";
import type { OidcIdentity } from "../fakes/oidc/oidc-identity.ts";
import { addressOf, urlOf } from "../infra/ports/addresses.ts";
import { mainOf, type ProcessPlan } from "../infra/processes/process-plan.ts";
import { builtConsole } from "../infra/programs/built-console.ts";
import { bundledPrograms, fromSources, type Programs } from "../infra/programs/programs.ts";
import { type Infra, type InfraName, startInfra } from "../infra/servers/infra.ts";
import { unlessAborted, until } from "../infra/wait.ts";
import { demoOrganisations } from "../seed/demo-organisations.ts";
import type { Demo } from "../seed/seed-demo.ts";
import { pipelineTrainerPlan, trainerPlan } from "../seed/trainer-plan.ts";
import { dataSandboxIn } from "./containment.ts";
import type { Description } from "./description.ts";
import { processesOf, type Separate } from "./hosted-plan.ts";
import { ProcessGroup } from "./process-group.ts";
import { processPlans } from "./process-plans.ts";
import { keepSecrets, type SecretFiles } from "./secrets.ts";
import { type ServerAddresses, ServiceStart } from "./service-start.ts";
import { keepStoreLogins, type StoreLogins } from "./store-logins.ts";
import { chooseTopology, claimDefaultPorts, servicePorts, type Topology, trainingAddressesOf } from "./topology.ts";
import { withCertificate } from "./with-certificate.ts";

/** What to start, and where. */
export interface PlatformOptions {
  /** Data, secrets and logs go here; what is there is used again. */
  directory: string;
  /** Whether the example trainer trains the demo run. Default true. */
  trainer?: boolean;
  /** Whether the demo begins with a model, which is trained for some seconds at the first start. Default: as `trainer`. */
  model?: boolean;
  /** Whether the demo's dataset has a second version, and that model is deployed and makes vectors of both in the background. Default false. */
  embeddings?: boolean;
  /** Bounds the trainer's pace. Default: the trainer's own, at which the demo run lasts more than an hour. */
  stepsPerSecond?: number;
  /** Replicas of the training service. Default 1. */
  replicas?: number;
  /**
   * Services and fakes with a process of their own, to be killed or measured alone. Default: none. The others run in one, which is
   * called `services`, or `fakes` where it runs no service.
   */
  separate?: Separate;
  /** The service that runs from its sources, to be debugged. Default: all run from bundles. */
  fromSources?: string;
  /** Whether to listen on the default ports where they are free. Default: any ports. */
  defaultPorts?: boolean;
  /** Settings of the processes beyond those that wire them together, by process name. */
  settings?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Certificate of every service and trainer, for `127.0.0.1`, and its authorities: calls between them use TLS. Default: without. */
  tls?: MeshCertificateFiles;
  /** Where MONGODB_URI and NATS_URL are looked up, which name parts that run already. Default: this process's environment. */
  env?: NodeJS.ProcessEnv;
  /** Gets one line for each thing that happens. Default: no log. */
  log?: (line: string) => void;
  /** Gives the start up: what runs already is stopped. */
  signal?: AbortSignal;
}

/** A whole platform of real processes on this machine. */
export interface LocalPlatform extends AsyncDisposable {
  description: Description;
  /** Where data, secrets and logs are. */
  directory: string;
  /** Where Connect and gRPC-Web are spoken, by service; `gateway` is the REST API. */
  httpUrls: { gateway: string; identity: string; training: string; content: string; deployments: string; data: string };
  /** Health and metrics, by process name. */
  adminUrls: Record<string, string>;
  /** Of a server that was started here: with the login of its administrator. */
  mongodbUri: string;
  natsUrl: string;
  /** File with the seed of the operator's NKey, who may do everything on a NATS server that was started here. */
  natsNkeyFile: string;
  /** What each service and fake was told at its start, by its name. */
  settings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The processes as they are now: mongodb, nats, services, trainer, pipeline-trainer, and those that are separate, such as identity, training, training-2 or fake-smtp. */
  readonly processes: ReadonlyMap<string, ChildProcess>;
  /** Starts a process again on the same addresses and data, and waits until it is ready. After {@link kill} too. */
  restart(name: string): Promise<void>;
  /** Ends a process and waits until it is gone; it stays away until {@link restart}. Default SIGKILL. */
  kill(name: string, signal?: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

const firstPointWithinMs = 90_000;

/**
 * Starts everything: parts, fakes, services, demo data and trainer. Resolves when all of it is ready and
 * the trainer has reported its first point; when something cannot start, stops the rest and throws.
 */
export async function startPlatform(options: PlatformOptions): Promise<LocalPlatform> {
  const { directory, defaultPorts = false, replicas = 1, env = process.env } = options;
  await mkdir(join(directory, "logs"), { recursive: true });
  // It is asked of another program, which need not be waited for here.
  const sandbox = dataSandboxIn(env, options.signal);
  sandbox.catch(() => undefined);
  const claim = defaultPorts ? await claimDefaultPorts() : undefined;
  const topology = await chooseTopology({ preferDefaults: claim !== undefined, trainingReplicas: replicas });
  const secrets = await keepSecrets(join(directory, "secrets"), urlOf(topology.oidc), [...demoOrganisations]);
  const logins = await keepStoreLogins(join(directory, "secrets"));
  const setting = { options, topology, secrets, logins, ...(await readAccounts(secrets)) };
  const services = new Services(setting, () => preparing);
  const start = new ServiceStart({ directory, ...services });
  const infra = startServers(setting, start);
  // After the servers: it keeps a processor busy for longer than they need to be spawned.
  const preparing = prepare(options, sandbox);
  const loading = preparing.then(() => import("./seed-platform.ts"));
  // A failure is thrown where it is waited for.
  for (const underWay of [infra, loading]) underWay.catch(() => undefined);
  const stop = async () => {
    start.giveUp();
    await services.stop();
    // Where it has failed, it has stopped by itself.
    await infra.then((parts) => parts.stop()).catch(() => undefined);
    claim?.close();
  };
  const bringUp = async () => {
    const parts = await infra;
    await start.finish(parts);
    const { processes, plans } = services.started;
    const { programs } = await preparing;
    const description = await bringDemoUp(setting, { processes, programs, ...(await loading) });
    const scheme: "http" | "https" = options.tls ? "https" : "http";
    const mongodbUri = env.MONGODB_URI ? parts.mongodbUri : logins.asAdministrator(parts.mongodbUri);
    return assemble({ description, directory, topology, parts, mongodbUri, logins, processes, plans, scheme, stop });
  };
  try {
    return await unlessAborted(bringUp(), options.signal);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What a platform is started with. */
interface Setting extends Awaited<ReturnType<typeof readAccounts>> {
  options: PlatformOptions;
  topology: Topology;
  secrets: SecretFiles;
  logins: StoreLogins;
}

/** The processes of the services and fakes, which can be started again where the servers are elsewhere. */
class Services {
  readonly #setting: Setting;
  readonly #prepared: () => ReturnType<typeof prepare>;
  #started: { processes: ProcessGroup; plans: readonly ProcessPlan[] } | undefined;
  /** A start that is under way when they are stopped must not begin after that. */
  #stops = 0;

  constructor(setting: Setting, prepared: () => ReturnType<typeof prepare>) {
    this.#setting = setting;
    this.#prepared = prepared;
  }

  get started() {
    if (!this.#started) throw new Error("no service was started");
    return this.#started;
  }

  readonly start = async (at: ServerAddresses): Promise<void> => {
    const stops = this.#stops;
    const { options, topology, ...known } = this.#setting;
    const { directory, env = process.env, separate = [], signal, log = () => {} } = options;
    const { programs, ...found } = await this.#prepared();
    signal?.throwIfAborted();
    if (stops !== this.#stops) throw new Error("the services were stopped before they began");
    const { logins } = known;
    const asked = { mongodb: env.MONGODB_URI ? undefined : logins, nats: env.NATS_URL ? undefined : logins };
    const planned = processPlans(topology, { ...known, ...found, ...at, directory: resolve(directory), logins: asked });
    const wired = planned.map((plan) => withCertificate(plan, options.tls));
    const plans = withSettings(wired, options.settings ?? {});
    const processes = this.#started?.processes ?? new ProcessGroup(join(directory, "logs"), { log, programs });
    this.#started = { processes, plans };
    await startAll(processes, processesOf(plans, { separate, programs }));
  };

  readonly stop = async (): Promise<void> => {
    this.#stops += 1;
    await this.#started?.processes.stop();
  };
}

interface DemoParts extends Pick<typeof import("./seed-platform.ts"), "seedPlatform"> {
  processes: ProcessGroup;
  programs: Programs;
}

/** Makes the demo, or finds it, and has the trainers at work on it. */
async function bringDemoUp(
  { options, topology, secrets, provider }: Setting,
  { processes, programs, seedPlatform }: DemoParts,
): Promise<Description> {
  const { directory, log = () => {}, signal, tls, trainer = true, model = trainer, embeddings = false } = options;
  const operatorKey = await readFile(secrets.operatorKey, "utf8");
  const gatewayKeys = secrets.serviceKeys("gateway");
  const of = { log, signal, tls, model, embeddings, programs };
  const demo = await seedPlatform(topology, { provider, operatorKey, gatewayKeys, directory, ...of });
  const description = describe(topology, demo);
  if (trainer) await train(processes, { topology, demo, description, options });
  return description;
}

function startServers({ options, topology, logins }: Setting, { located }: ServiceStart): Promise<Infra> {
  const { directory, log = () => {}, env = process.env, signal } = options;
  const { mongodb, nats } = topology;
  const places = { directory, ports: { mongodb, nats }, env, logins: logins.servers };
  return startInfra({ ...places, log, located, ...(signal && { signal }) });
}

/** Finds, or builds, what the services need. */
async function prepare(options: PlatformOptions, sandbox: ReturnType<typeof dataSandboxIn>) {
  const { log = () => {}, signal } = options;
  const [programs, consoleDirectory, dataSandbox] = await Promise.all([
    programsOf(options),
    builtConsole({ log, signal }),
    sandbox,
  ]);
  return { programs, consoleDirectory, dataSandbox };
}

/** What is known of the identity provider and the social network. */
async function readAccounts({ identityProvider, socialClient, consoleClientSecret }: SecretFiles) {
  const provider: OidcIdentity = JSON.parse(await readFile(identityProvider, "utf8"));
  const social: OauthClient = JSON.parse(await readFile(socialClient, "utf8"));
  return { provider, social, consoleClientSecret: await readFile(consoleClientSecret, "utf8") };
}

async function programsOf({ fromSources: service, log = () => {}, signal }: PlatformOptions): Promise<Programs> {
  const programs = await bundledPrograms({ log, ...(signal && { signal }) });
  const source = service && mainOf(`services/${service}`);
  return (main) => (main === source ? fromSources(main) : programs(main));
}

/** @throws Error for settings of a process that does not exist: they would silently have no effect. */
function withSettings(plans: ProcessPlan[], settings: NonNullable<PlatformOptions["settings"]>): ProcessPlan[] {
  const unknown = Object.keys(settings).filter((name) => plans.every((plan) => plan.name !== name));
  if (unknown.length > 0) throw new Error(`there are settings for ${unknown.join(", ")}, but no such process`);
  return plans.map((plan) => ({ ...plan, env: { ...plan.env, ...settings[plan.name] } }));
}

/** All at once: each waits for those it needs by itself. */
async function startAll(processes: ProcessGroup, plans: ProcessPlan[]): Promise<void> {
  const outcomes = await Promise.allSettled(plans.map((plan) => processes.start(plan)));
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure) throw failure.reason;
}

function describe(
  { gateway, identity, training, content, deployments, data, smtp }: Topology,
  { demo, foreign, content: seeded, model }: Demo,
): Description {
  return {
    gateway: urlOf(gateway.http),
    mail: urlOf(smtp.http),
    grpc: {
      identity: addressOf(identity.grpc),
      training: addressOf(training[0]?.grpc ?? 0),
      content: addressOf(content.grpc),
      deployments: addressOf(deployments.grpc),
      data: addressOf(data.grpc),
    },
    organisation_id: demo.organisation_id,
    pipeline_id: demo.pipeline_id,
    run_id: demo.run_id,
    job_name: mnistJob.name,
    ...seeded,
    ...model,
    api_key: demo.api_key,
    bearer: demo.bearer,
    foreign: {
      api_key: foreign.api_key,
      bearer: foreign.bearer,
      pipeline_id: foreign.pipeline_id,
      run_id: foreign.run_id,
    },
  };
}

interface Training {
  topology: Topology;
  demo: Demo;
  description: Description;
  options: PlatformOptions;
}

/** Starts the trainers, and waits between them until the REST API shows a point of the run. */
async function train(processes: ProcessGroup, { topology, demo, description, options }: Training): Promise<void> {
  const { gateway, bearer, pipeline_id, run_id } = description;
  const trainer = {
    trainingAddresses: trainingAddressesOf(topology),
    apiKey: demo.trainerKey,
    directory: options.directory,
  };
  const plan = trainerPlan({ ...trainer, runId: run_id, stepsPerSecond: options.stepsPerSecond });
  await processes.start(withCertificate(plan, options.tls));
  const path = `/pipelines/${pipeline_id}/runs/${run_id}/metrics/?max_points=0`;
  const firstPoint = async () => {
    const response = await fetch(gateway + path, { headers: { authorization: `Bearer ${bearer}` } });
    return (response.ok && JSON.parse(await response.text()).sequence > 0) || undefined;
  };
  const otherwise = () =>
    new Error(`the trainer has reported nothing; its log is ${join(options.directory, "logs", "trainer.log")}`);
  await until(firstPoint, { withinMs: firstPointWithinMs, everyMs: 100, otherwise });
  // After the run with its own trainer has begun: that run is no longer queued.
  const pipelineTrainer = pipelineTrainerPlan({ ...trainer, pipelineId: pipeline_id });
  await processes.start(withCertificate(pipelineTrainer, options.tls));
}

interface Assembly {
  description: Description;
  directory: string;
  topology: Topology;
  parts: Infra;
  mongodbUri: string;
  logins: StoreLogins;
  processes: ProcessGroup;
  plans: readonly ProcessPlan[];
  /** Of the services' HTTP ports. */
  scheme: "http" | "https";
  stop(): Promise<void>;
}

function assemble({
  description,
  directory,
  topology,
  parts,
  mongodbUri,
  logins,
  processes,
  plans,
  scheme,
  stop,
}: Assembly): LocalPlatform {
  const services = servicePorts(topology);
  const httpUrl = (port = 0) => `${scheme}://${addressOf(port)}`;
  return {
    description,
    directory,
    httpUrls: {
      gateway: description.gateway,
      identity: httpUrl(topology.identity.http),
      training: httpUrl(topology.training[0]?.http),
      content: httpUrl(topology.content.http),
      deployments: httpUrl(topology.deployments.http),
      data: httpUrl(topology.data.http),
    },
    adminUrls: Object.fromEntries([...services].map(([name, { admin }]) => [name, urlOf(admin)])),
    mongodbUri,
    natsUrl: parts.natsUrl,
    natsNkeyFile: logins.nkeyFile("operator"),
    settings: Object.fromEntries(plans.map(({ name, env }) => [name, env])),
    get processes() {
      return new Map([...Object.entries(parts.processes), ...processes.children()]);
    },
    async restart(name) {
      if (isInfra(name)) return parts.restart(name);
      await processes.member(name).stop();
      await processes.member(name).start();
    },
    kill: (name, signal = "SIGKILL") =>
      isInfra(name) ? parts.kill(name, signal) : processes.member(name).kill(signal),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const isInfra = (name: string): name is InfraName => name === "mongodb" || name === "nats";
