import { type Enforcement, enforcementText } from "@aiplatform/serving-runtime/enforcement";
import { boundariesOf } from "@aiplatform/serving-runtime/sandbox";
import type { Containment } from "./containment.ts";
import type { Description } from "./description.ts";

const uuid = `'"$(node -p 'crypto.randomUUID()')"'`;

interface Example {
  says: string;
  path: string;
  body?: string;
  /** The instruction to the run that it is. */
  action?: string;
  /** Whether it begins a run. */
  begins?: true;
}

/** Of a run that goes no further by itself: what is to be said of it, and the instruction that repairs it. */
const standing: Readonly<Record<string, { says: string; next?: string }>> = {
  paused: { says: "the run is paused, as it was left. The first command below resumes it", next: "resume" },
  ...ended("completed", "is finished"),
  ...ended("aborted", "was aborted"),
  failed: { says: "the run has failed. The first command below goes back to its last checkpoint", next: "rollback" },
};

function ended(status: string, how: string) {
  return {
    [status]: { says: `the run ${how}. The first command below begins the next one, and so does the next start` },
  };
}

const training = "a model is being trained on MNIST";

function stateOf(status: string | undefined, trainer: boolean): { says: string; next?: string } {
  const known = status === undefined ? undefined : standing[status];
  return known ?? { says: trainer ? training : "without a trainer" };
}

/** The examples in the order in which they help: first what repairs the run's state; of a run that has ended, what begins the next one. */
function helpful(all: readonly Example[], status: string | undefined): Example[] {
  const known = status === undefined ? undefined : standing[status];
  if (known === undefined) return [...all];
  if (known.next === undefined) {
    const rest = all.filter(({ action, begins }) => action === undefined && !begins);
    return [...all.filter(({ begins }) => begins), ...rest];
  }
  const first = all.filter(({ action }) => action === known.next);
  return [...first, ...all.filter((each) => !first.includes(each))];
}

function examples(
  { pipeline_id, run_id, job_name, model_id }: Description,
  { metric, trainer }: Pick<BannerFacts, "metric" | "trainer">,
): Example[] {
  const run = `/pipelines/${pipeline_id}/runs/${run_id}`;
  const command = (action: string, says: string, more = ""): Example => ({
    says,
    action,
    path: `${run}/training/${job_name}/commands`,
    body: `{"action":"${action}","idempotency_key":"${uuid}"${more}}`,
  });
  return [
    { says: `watch it learn: the curve of ${metric} so far`, path: `${run}/metrics/?metric=${metric}&max_points=20` },
    {
      says: "the same as it happens (Ctrl-C ends it)",
      path: `/platform${run}/metrics/stream?metric=${metric}&max_points=1`,
    },
    command("pause", "pause: saves, then frees the memory"),
    command("resume", "resume where it was"),
    command("rollback", "go back to the last checkpoint: opens a new segment"),
    command(
      "warm_restart",
      "restart from the best weights with another learning rate",
      `,"runtime_overrides":{"learning_rate":0.05}`,
    ),
    { says: "what became of these commands", path: `/platform${run}/jobs/${job_name}/commands` },
    {
      says: "deploy the model that is there: predictions are answered a moment later (the tour asks for one)",
      path: "/deployments/",
      body: `{"model_id":"${model_id}"}`,
    },
    command("finish_from_checkpoint", "finish: publishes the best checkpoint and ends the run"),
    {
      says: `begin another run: ${trainer ? "a second trainer takes it" : "it waits for a trainer"}, and the answer has its id`,
      path: `/platform/pipelines/${pipeline_id}/runs`,
      body: `{"name":"another run","jobs":[{"name":"${job_name}","primary_metric":"${metric}","primary_metric_goal":"maximize"}]}`,
      begins: true,
    },
  ];
}

function curl({ gateway, api_key }: Description, { path, body }: Example): string {
  const data = body ? ` -H 'Content-Type: application/json' -d '${body}'` : "";
  return `curl -sN -H 'Authorization: Bearer ${api_key}'${data} '${gateway}${path}'`;
}

/** What the banner says besides the description. */
export interface BannerFacts extends Containment {
  metric: string;
  directory: string;
  trainer: boolean;
  variables: string;
  /** Of the run, as its live metrics say; undefined where they do not answer. */
  status: string | undefined;
  /** Where a person signs in to the console; undefined where there is no console. */
  signInLink: string | undefined;
  /** Whether files of datasets are read without a sandbox. */
  readsUncontained: boolean;
  /** What holds instances to their limits; undefined where the deployments service has not written it. */
  enforcement: Enforcement | undefined;
}

function handlers({ sandbox, trustsCode }: Containment): string {
  if (sandbox.kind !== "none") return `their code runs in a sandbox of ${boundariesOf(sandbox)}`;
  const why = `${sandbox.reason} (docs/operations/serving.md)`;
  if (trustsCode) return `their code runs without a sandbox, since TRUST_SERVING_CODE is true: ${why}`;
  return `deployments with a handler are refused: ${why}`;
}

const uncontainedFiles = "of datasets are read without a sandbox, since DATA_SANDBOX is none: use files that you trust";

function howToSignIn(link: string): string {
  const hasCode = new URL(link).hash !== "";
  return hasCode
    ? "signs you in once, within five minutes; later: as demo-administrator, or with the API key"
    : "sign in with the API key";
}

/** The text that greets a person: how the run is, where everything is, and lines that work when pasted. */
export function banner(
  description: Description,
  {
    metric,
    directory,
    trainer,
    variables,
    status,
    signInLink,
    enforcement,
    readsUncontained,
    ...containment
  }: BannerFacts,
): string {
  const { gateway, mail, grpc, organisation_id, pipeline_id, run_id, job_name, api_key } = description;
  const { dataset_id, automation_id, draft_id, feature_key, model_id } = description;
  const services = Object.entries(grpc).map(([service, address]) => `${service} ${address}`);
  const facts = [
    ...(signInLink ? [["console", `${signInLink}   (${howToSignIn(signInLink)})`]] : []),
    ["REST API", `${gateway}   (to try at ${gateway}/docs)`],
    ["gRPC", `${services.join(", ")}   (no TLS; reflection and health are on)`],
    ["e-mails", `${mail}   (everything that is sent is caught there)`],
    ["organisation", organisation_id],
    ["pipeline", pipeline_id],
    ["run, job", `${run_id}, ${job_name}`],
    ["dataset", dataset_id],
    ["automation", `${automation_id}   (published; uses the feature ${feature_key})`],
    ["e-mail draft", `${draft_id}   (not sent yet)`],
    ["model", `${model_id}   (one version, which can be deployed)`],
    ["handlers", handlers(containment)],
    ...(enforcement ? [["limits", `of instances: ${enforcementText(enforcement)} (docs/operations/serving.md)`]] : []),
    ...(readsUncontained ? [["files", uncontainedFiles]] : []),
    ["API key", `${api_key}   (made for this installation; holds every permission)`],
    ["data, logs", `${directory}, ${directory}/logs`],
    ["tour", `examples/tour/README.md: the operations by curl, with the variables of ${variables}`],
  ];
  const shown = helpful(examples(description, { metric, trainer }), status);
  const lines = shown.map((example) => `  # ${example.says}\n  ${curl(description, example)}`);
  return `
The platform is ready: ${stateOf(status, trainer).says}. For development, not for production.

${facts.map(([name = "", value]) => `  ${name.padEnd(13)} ${value}`).join("\n")}

Paste any of these:

${lines.join("\n\n")}

Ctrl-C stops everything; the data stays for the next start.
`;
}
