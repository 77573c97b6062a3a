import { answerOf, PlatformError } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type JobAddress, platform, type SupervisionLease } from "../../api/platform.ts";
import { forgetToken, keepToken, type OwnLease, ownLeaseOf } from "./lease-token.ts";

const path = (job: JobAddress) => ({ path: { ...job } });
const base = "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/supervisions";
/** How long a lease of the console lasts, s; it is renewed while the page is open. */
const ttlSeconds = 300;
/** How often it is looked whether a lease that is held still is, ms. */
const heldLookMs = 10_000;

/**
 * The lease of a job: who holds it, and with which token this tab does. Whether one is held is asked when the page opens, and with each
 * new command: asking for one that there is not is a refusal in the audit log.
 */
export function useLease(job: JobAddress, commandCount: number) {
  const queryKey = ["lease", job.run_id, job.job_name];
  const queryClient = useQueryClient();
  const current = useQuery<SupervisionLease | null>({
    queryKey,
    refetchInterval: ({ state }) => (state.data ? heldLookMs : false),
    queryFn: async ({ signal }) => {
      try {
        return answerOf(await platform.GET(`${base}/current`, { params: path(job), signal }));
      } catch (error) {
        if (error instanceof PlatformError && error.status === 404) return null;
        throw error;
      }
    },
  });
  const { refetch } = current;
  useEffect(() => {
    if (commandCount > 0) void refetch({ cancelRefetch: false });
  }, [commandCount, refetch]);
  const own = current.data ? ownLeaseOf(current.data.supervision_id) : undefined;
  const onSettled = () => queryClient.invalidateQueries({ queryKey });
  const acquire = useMutation({
    mutationFn: async ({ takeOver }: { takeOver: boolean }) => {
      const body = { ttl_seconds: ttlSeconds, take_over: takeOver };
      const { lease, supervision_lease_token } = answerOf(await platform.POST(base, { params: path(job), body }));
      if (lease) keepToken({ supervision_id: lease.supervision_id, supervision_lease_token });
    },
    onSettled,
  });
  const release = useMutation({
    mutationFn: async ({ supervision_id, supervision_lease_token }: OwnLease) => {
      const params = { path: { ...job, supervision_id } };
      answerOf(await platform.POST(`${base}/{supervision_id}/release`, { params, body: { supervision_lease_token } }));
      forgetToken(supervision_id);
    },
    onSettled,
  });
  useRenewal(job, own);
  return { current, own, acquire, release };
}

/** Renews the lease of this tab at half of its time. */
function useRenewal(job: JobAddress, own: OwnLease | undefined): void {
  const renew = useMutation({
    mutationFn: async ({ supervision_id, supervision_lease_token }: OwnLease) => {
      const params = { path: { ...job, supervision_id } };
      const body = { supervision_lease_token, ttl_seconds: ttlSeconds };
      return answerOf(await platform.POST(`${base}/{supervision_id}/renew`, { params, body }));
    },
  });
  const { mutate } = renew;
  const id = own?.supervision_id;
  useEffect(() => {
    if (id === undefined) return;
    const timer = setInterval(() => {
      const lease = ownLeaseOf(id);
      if (lease) mutate(lease);
    }, ttlSeconds * 500);
    return () => clearInterval(timer);
  }, [id, mutate]);
}
