import type { MeshCertificateFiles } from "@aiplatform/service-host";
import type { ProcessPlan } from "../infra/processes/process-plan.ts";

const certified = new Set(["identity", "content", "deployments", "data", "gateway", "pipeline-trainer"]);

/** The plan of a process that calls services or is one, with a certificate to do so. */
export function withCertificate(plan: ProcessPlan, files: MeshCertificateFiles | undefined): ProcessPlan {
  if (!files || !(certified.has(plan.name) || /^train(er|ing)/.test(plan.name))) return plan;
  const urls = Object.entries(plan.env).filter(([name]) => name.endsWith("_HTTP_URL"));
  const secured = urls.map(([name, url]) => [name, url.replace(/^http:/, "https:")]);
  return { ...plan, env: { ...plan.env, ...Object.fromEntries(secured), ...files } };
}
