import { callerOf, permissionMissing } from "@aiplatform/caller-identity";
import {
  type CommandJobsRequest,
  CommandJobsRequestSchema,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { type Idempotency, InvalidFieldsError } from "@aiplatform/service-host";
import { toBinary } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { JobAddress } from "../runs/job-directory.ts";
import type { RunStore } from "../runs/run-store.ts";

export interface SelectJobsDependencies {
  runs: Pick<RunStore, "ids">;
  idempotency: Idempotency<unknown>;
}

const maxJobs = 100;
const filterPermission = "metrics:read";

/**
 * The jobs that a request is for. What a filter finds is remembered under the request's key for a day: by then the command itself may
 * have changed what the filter finds.
 * @throws InvalidFieldsError, InvalidListRequestError, IdempotencyKeyReusedError
 */
export async function selectJobs(
  { runs, idempotency }: SelectJobsDependencies,
  request: CommandJobsRequest,
  context: Pick<HandlerContext, "values" | "method">,
): Promise<readonly JobAddress[]> {
  assertOneSelection(request);
  const { jobs, filter, jobName, dryRun, idempotencyKey: key } = request;
  if (filter === "") return jobs;
  const { organisationId, credentialId, permissions } = callerOf(context);
  if (!permissions.has(filterPermission)) throw permissionMissing(filterPermission);
  const find = () => foundRuns(runs, organisationId, filter);
  const remembered = async () => {
    const keyless = toBinary(CommandJobsRequestSchema, { ...request, idempotencyKey: "" });
    const asked = { organisationId, credentialId, key, operation: "select jobs to command", request: keyless };
    const { answer } = await idempotency.run(asked, async () => Buffer.from((await find()).join()));
    return Buffer.from(answer).toString().split(",").filter(Boolean);
  };
  const runIds = dryRun ? await find() : await remembered();
  return runIds.map((runId) => ({ runId, jobName }));
}

function assertOneSelection({ jobs, filter, jobName }: CommandJobsRequest): void {
  if (jobs.length === 0 && filter === "") throw invalid("jobs", "EXACTLY_ONE", "name jobs, or send a filter");
  if (jobs.length > 0 && filter !== "") throw invalid("filter", "EXACTLY_ONE", "name jobs, or send a filter, not both");
  if (jobs.length > 0 && jobName !== undefined) {
    throw invalid("job_name", "JOB_NAME_WITHOUT_FILTER", "belongs to a filter: name the job within `jobs`");
  }
}

async function foundRuns(
  runs: SelectJobsDependencies["runs"],
  organisationId: string,
  filter: string,
): Promise<string[]> {
  const found = await runs.ids(organisationId, { filter, limit: maxJobs + 1 });
  if (found.length <= maxJobs) return found;
  const description = `finds more than ${maxJobs} runs: narrow it, for example by created_at`;
  throw invalid("filter", "RUNS_TOO_MANY", description);
}

function invalid(field: string, reason: string, description: string): InvalidFieldsError {
  return new InvalidFieldsError([{ field, reason, description }]);
}
