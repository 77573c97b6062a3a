import { callerOf } from "@aiplatform/caller-identity";
import { JobService } from "@aiplatform/contract/aiplatform/training/v1/jobs";
import type { ConnectRouter } from "@connectrpc/connect";
import type { JobLogs } from "../job-log/job-logs.ts";
import { addressOf, type JobDirectory } from "../runs/job-directory.ts";
import { jobMessage } from "./job-message.ts";

export interface JobDependencies {
  directory: JobDirectory;
  logs: Pick<JobLogs, "currentState">;
}

export function jobRoutes(router: ConnectRouter, { directory, logs }: JobDependencies): void {
  router.service(JobService, {
    async getJob(request, context) {
      const found = await directory.get(callerOf(context).organisationId, addressOf(request));
      return { job: jobMessage(found, await logs.currentState(found.reference)) };
    },
  });
}
