/** The operations of the specification by their numbers there. */
export const operationNumbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;
export type OperationNumber = (typeof operationNumbers)[number];

/** Processes whose readiness and metrics are read. */
export const observed = ["gateway", "identity", "training", "content", "deployments", "data"] as const;
export type Observed = (typeof observed)[number];

/** What one part's absence costs. */
export interface Outage {
  /** How the page on failures calls it. */
  readonly what: string;
  /** Name of the process. */
  readonly part: string;
  /** SIGSTOP: it hangs with its connections open. */
  readonly signal: "SIGKILL" | "SIGSTOP";
  /** Operations that are answered 503 with one of these `code`s and `Retry-After`. The others are answered as ever. */
  readonly refused: Readonly<Partial<Record<OperationNumber, readonly string[]>>>;
  /** Operations that are answered while the caller is remembered, up to a minute, and refused from then on. */
  readonly remembered: readonly OperationNumber[];
  readonly notReady: readonly Observed[];
  /** Whether its return may leave transactions behind that hold documents for some seconds. */
  readonly leavesConflicts?: boolean;
  /** Where the metric `dependency_up` falls to 0, and of which dependency. */
  readonly dependencyDown: Readonly<Partial<Record<Observed, readonly string[]>>>;
}

const each = (codes: readonly string[], ...numbers: OperationNumber[]): Outage["refused"] =>
  Object.fromEntries(numbers.map((number) => [number, codes]));

const services = ["identity", "training", "content", "deployments", "data"] as const;

const withoutMongodb = {
  part: "mongodb",
  refused: each(["store_unavailable"], ...operationNumbers),
  remembered: [],
  notReady: services,
  dependencyDown: {
    gateway: services,
    ...Object.fromEntries(services.map((service) => [service, ["mongodb"]])),
  },
} satisfies Partial<Outage>;

/** Every part, and what is answered without it. The page on failures shows this table; a test holds both against each other. */
export const outages: readonly Outage[] = [
  { what: "MongoDB, killed", signal: "SIGKILL", ...withoutMongodb },
  { what: "MongoDB, hung", signal: "SIGSTOP", leavesConflicts: true, ...withoutMongodb },
  {
    what: "NATS",
    part: "nats",
    signal: "SIGKILL",
    refused: {},
    remembered: [],
    notReady: [],
    dependencyDown: Object.fromEntries(observed.map((name) => [name, ["nats"]])),
  },
  {
    what: "identity",
    part: "identity",
    signal: "SIGKILL",
    refused: each(["unavailable", "identity_unavailable"], 2, 4, 5, 11),
    remembered: [1, 3, 6, 7, 8, 9, 10, 12],
    notReady: [],
    dependencyDown: { gateway: ["identity"] },
  },
  {
    what: "training",
    part: "training",
    signal: "SIGKILL",
    refused: each(["unavailable"], 1, 8),
    remembered: [],
    notReady: [],
    dependencyDown: { gateway: ["training"] },
  },
  {
    what: "content",
    part: "content",
    signal: "SIGKILL",
    refused: each(["unavailable"], 7, 9, 10, 12),
    remembered: [],
    notReady: [],
    dependencyDown: { gateway: ["content"] },
  },
  {
    what: "deployments",
    part: "deployments",
    signal: "SIGKILL",
    refused: each(["unavailable"], 3, 6),
    remembered: [],
    notReady: [],
    dependencyDown: { gateway: ["deployments"] },
  },
  {
    what: "data",
    part: "data",
    signal: "SIGKILL",
    refused: {},
    remembered: [],
    notReady: [],
    dependencyDown: { gateway: ["data"] },
  },
  {
    what: "the identity provider",
    part: "fake-oidc",
    signal: "SIGKILL",
    refused: {},
    remembered: [],
    notReady: [],
    dependencyDown: {},
  },
  {
    what: "the mail server",
    part: "fake-smtp",
    signal: "SIGKILL",
    refused: each(["mail_server_unavailable"], 10),
    remembered: [],
    notReady: [],
    dependencyDown: {},
  },
];
