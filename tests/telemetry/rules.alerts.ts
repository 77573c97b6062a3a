import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { alerts } from "./monitoring-files.ts";

const run = promisify(execFile);
const sources = fileURLToPath(new URL("promtool", import.meta.url));
const promtool = join(homedir(), ".cache", "aiplatform", "promtool-0.308.0");
let directory: string;

/** Built once, by Go, at the lowest priority: it takes a quarter of an hour on a small machine. */
async function buildPromtool(): Promise<void> {
  if (existsSync(promtool)) return;
  await run("go", ["version"]).catch(() => {
    throw new Error("npm run test:alerts needs Go 1.26 or newer on the PATH, to build Prometheus' promtool");
  });
  const target = "github.com/prometheus/prometheus/cmd/promtool";
  const env = { ...process.env, CGO_ENABLED: "0" };
  await run("nice", ["-n", "15", "go", "build", "-o", promtool, target], { cwd: sources, env, maxBuffer: 1e8 });
}

beforeAll(async () => {
  await buildPromtool();
  directory = await mkdtemp(join(tmpdir(), "alert-rules-"));
  await writeFile(join(directory, "rules.yaml"), stringify({ groups: [{ name: "aiplatform", rules: alerts }] }));
}, 3_600_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

const calls = "http_server_request_duration_seconds";
const labels = (text: string) => `{job="gateway", pod="gateway-1"${text}}`;
/** Every scrape shows `step` more than the one before. */
const growing = (series: string, step: number) => ({ series, values: `0+${step}x120` });
const steady = (series: string, value: number) => ({ series, values: `${value}+0x120` });
/** A series that is bad at one value and good at another. */
const steadyAt = (metric: string, text: string, { bad, good }: { bad: number; good: number }) => ({
  bad: [steady(`${metric}${labels(text)}`, bad)],
  good: [steady(`${metric}${labels(text)}`, good)],
});
const buckets = (metric: string, text: string, slow: boolean, bound: string) => [
  growing(`${metric}_bucket${labels(`${text}, le="${bound}"`)}`, slow ? 0 : 10),
  growing(`${metric}_bucket${labels(`${text}, le="600"`)}`, 10),
  growing(`${metric}_bucket${labels(`${text}, le="+Inf"`)}`, 10),
];
const services = ["gateway", "identity", "training", "content", "deployments", "data"];
const up = (missing?: string) =>
  services.filter((job) => job !== missing).map((job) => steady(`up{job="${job}", pod="${job}-1"}`, 1));

/** For each alert: what is seen when there is reason for it, and when there is not. */
const cases: Record<string, { bad: object[]; good: object[] }> = {
  ServiceDown: { bad: [steady('up{job="training", pod="training-1"}', 0), ...up("training")], good: up() },
  ServiceMissing: { bad: up("content"), good: up() },
  DependencyDown: {
    bad: [steady(`dependency_up${labels(', dependency="nats"')}`, 0)],
    good: [
      steady(`dependency_up${labels(', dependency="nats"')}`, 0),
      steady('dependency_up{job="gateway", pod="gateway-2", dependency="nats"}', 1),
    ],
  },
  HighErrorRate: {
    bad: [
      growing(`${calls}_count${labels(', http_response_status_code="503"')}`, 2),
      growing(`${calls}_count${labels(', http_response_status_code="200"')}`, 98),
    ],
    good: [
      growing(`${calls}_count${labels(', http_response_status_code="503"')}`, 1),
      growing(`${calls}_count${labels(', http_response_status_code="200"')}`, 999),
    ],
  },
  RequestsSlow: {
    bad: buckets(calls, ', http_request_method="POST"', true, "2.5"),
    good: [
      ...buckets(calls, ', http_request_method="POST"', false, "2.5"),
      ...buckets(calls, ', http_request_method="GET"', true, "2.5"),
    ],
  },
  CallsFail: {
    bad: [
      growing(
        `rpc_server_call_duration_seconds_count${labels(', rpc_service="s", rpc_method="m", rpc_response_status_code="Internal"')}`,
        1,
      ),
    ],
    good: [
      growing(
        `rpc_server_call_duration_seconds_count${labels(', rpc_service="s", rpc_method="m", rpc_response_status_code="NotFound"')}`,
        1,
      ),
    ],
  },
  PlatformOverloaded: {
    bad: [growing(`rate_limited_total${labels(', reason="OVERLOADED"')}`, 1)],
    good: [growing(`rate_limited_total${labels(', reason="RATE_LIMITED"')}`, 100)],
  },
  CredentialsRefused: {
    bad: [
      growing(`${calls}_count${labels(', http_response_status_code="401"')}`, 600),
      steady(`rate_limited_total${labels(', reason="TOO_MANY_FAILED_CREDENTIALS"')}`, 0),
    ],
    good: [
      growing(`${calls}_count${labels(', http_response_status_code="401"')}`, 60),
      steady(`rate_limited_total${labels(', reason="TOO_MANY_FAILED_CREDENTIALS"')}`, 0),
    ],
  },
  AuditGap: {
    bad: [growing(`audit_refusals_total${labels(', outcome="dropped"')}`, 1)],
    good: [
      growing(`audit_refusals_total${labels(', outcome="reported"')}`, 1),
      steady(`audit_refusals_total${labels(', outcome="dropped"')}`, 0),
    ],
  },
  OutboxBacklog: steadyAt("outbox_oldest_seconds", ', outbox="outbox"', { bad: 90, good: 3 }),
  EventStreamFills: {
    bad: [
      steady(`event_stream_bytes${labels(', kind="used"')}`, 80),
      steady(`event_stream_bytes${labels(', kind="limit"')}`, 100),
    ],
    good: [
      steady(`event_stream_bytes${labels(', kind="used"')}`, 50),
      steady(`event_stream_bytes${labels(', kind="limit"')}`, 100),
    ],
  },
  EventStreamStalls: {
    bad: [growing(`event_stream_stalled_seconds${labels("")}`, 15)],
    good: [steady(`event_stream_stalled_seconds${labels("")}`, 5)],
  },
  EventStreamGaps: {
    bad: [growing(`event_stream_gaps_total${labels(', outbox="outbox"')}`, 1)],
    good: [steady(`event_stream_gaps_total${labels(', outbox="outbox"')}`, 2)],
  },
  ConsumerLag: steadyAt("consumer_pending", ', consumer="identity-audit"', { bad: 5_000, good: 500 }),
  DeadLetters: steadyAt("dead_letters", "", { bad: 1, good: 0 }),
  IdentityRefused: steadyAt("identity_circuit_open", "", { bad: 1, good: 0 }),
  DatabaseRefused: steadyAt("mongodb_circuit_open", "", { bad: 1, good: 0 }),
  ClockWrong: {
    bad: [steady(`mongodb_clock_difference_seconds${labels("")}`, -3)],
    good: [steady(`mongodb_clock_difference_seconds${labels("")}`, 1)],
  },
  DatabaseSlow: {
    bad: buckets("mongodb_operation_duration_seconds", ', operation="find"', true, "0.5"),
    good: buckets("mongodb_operation_duration_seconds", ', operation="find"', false, "0.5"),
  },
  DatabaseOperationsFail: {
    bad: [
      growing(`mongodb_pool_refusals_total${labels(', reason="timeout"')}`, 120),
      steady(`mongodb_operation_duration_seconds_count${labels(', outcome="failed"')}`, 0),
    ],
    good: [
      steady(`mongodb_pool_refusals_total${labels(', reason="timeout"')}`, 0),
      growing(`mongodb_operation_duration_seconds_count${labels(', outcome="failed"')}`, 6),
    ],
  },
  TrainerSilent: steadyAt("trainer_heartbeat_age_seconds", "", { bad: 75, good: 4 }),
  CommandsSlow: {
    bad: buckets("training_command_apply_seconds", ', action="pause"', true, "60"),
    good: buckets("training_command_apply_seconds", ', action="pause"', false, "60"),
  },
  EmailsFail: {
    bad: [
      growing(`email_deliveries_total${labels(', status="failed"')}`, 3),
      growing(`email_deliveries_total${labels(', status="sent"')}`, 7),
    ],
    good: [
      growing(`email_deliveries_total${labels(', status="failed"')}`, 1),
      growing(`email_deliveries_total${labels(', status="sent"')}`, 9),
    ],
  },
  AutomationsFail: {
    bad: [
      growing(`automation_runs_total${labels(', status="failed"')}`, 3),
      growing(`automation_runs_total${labels(', status="succeeded"')}`, 1),
    ],
    good: [
      growing(`automation_runs_total${labels(', status="failed"')}`, 1),
      growing(`automation_runs_total${labels(', status="succeeded"')}`, 3),
    ],
  },
  RolloutsFail: {
    bad: [growing(`rollouts_total${labels(', status="RolledBack"')}`, 1)],
    good: [growing(`rollouts_total${labels(', status="Succeeded"')}`, 1)],
  },
  InstancesUnhealthy: {
    bad: [steady(`serving_instances${labels(', state="unhealthy"')}`, 1)],
    good: [steady(`serving_instances${labels(', state="ready"')}`, 3)],
  },
  WorkerFails: steadyAt("worker_failing_rounds", ', worker="rollouts"', { bad: 3, good: 1 }),
  EventLoopLag: steadyAt("nodejs_eventloop_delay_seconds", ', statistic="p99"', { bad: 0.4, good: 0.01 }),
  HeapNearlyFull: {
    bad: [
      steady(`nodejs_heap_bytes${labels(', state="used"')}`, 95),
      steady(`nodejs_heap_bytes${labels(', state="limit"')}`, 100),
    ],
    good: [
      steady(`nodejs_heap_bytes${labels(', state="used"')}`, 50),
      steady(`nodejs_heap_bytes${labels(', state="limit"')}`, 100),
    ],
  },
};

/** The alerts that Prometheus' own engine raises after an hour of these series. */
async function raised(alertname: string, series: object[]): Promise<boolean> {
  const file = join(directory, `${alertname}.yaml`);
  const expectsNone = [{ eval_time: "60m", alertname, exp_alerts: [] }];
  const tests = [{ interval: "1m", input_series: series, alert_rule_test: expectsNone }];
  await writeFile(file, stringify({ rule_files: ["rules.yaml"], evaluation_interval: "1m", tests }));
  const outcome = await run(promtool, ["test", "rules", file]).then(
    () => "none",
    (error: unknown) => `${Reflect.get(Object(error), "stdout")}${Reflect.get(Object(error), "stderr")}`,
  );
  if (outcome !== "none" && !outcome.includes(`alertname: ${alertname},`)) throw new Error(outcome);
  return outcome !== "none";
}

describe("the rules", () => {
  it("are such as Prometheus takes", async () => {
    const { stdout } = await run(promtool, ["check", "rules", join(directory, "rules.yaml")]);
    expect(stdout).toContain(`SUCCESS: ${alerts.length} rules found`);
  });

  it("have each a case", () => {
    expect(Object.keys(cases).sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  it.each(Object.entries(cases))(
    "raise %s when there is reason for it, and not otherwise",
    async (name, { bad, good }) => {
      expect([await raised(name, bad), await raised(name, good)]).toEqual([true, false]);
    },
  );
});
