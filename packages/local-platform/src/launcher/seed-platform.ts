import { join } from "node:path";
import { ServiceAssertions } from "@aiplatform/caller-identity";
import { digitRows } from "@aiplatform/mnist-trainer/digit-rows";
import { mnistJob } from "@aiplatform/mnist-trainer/mnist-job";
import type { MeshCertificateFiles } from "@aiplatform/service-host";
import { assertionInterceptor } from "@aiplatform/service-host/assertion";
import { MeshIdentity } from "@aiplatform/service-host/mesh-identity";
import { createMeshTransport } from "@aiplatform/service-host/mesh-transport";
import { type ServiceKeyFiles, ServiceKeys } from "@aiplatform/service-keys";
import { accessToken } from "../fakes/oidc/access-token.ts";
import { addressOf, urlOf } from "../infra/ports/addresses.ts";
import type { Programs } from "../infra/programs/programs.ts";
import { demoClients } from "../seed/demo-clients.ts";
import { type Demo, type DemoPlan, seedDemo } from "../seed/seed-demo.ts";
import { trainToEnd } from "../seed/train-to-end.ts";
import { trainerPlan } from "../seed/trainer-plan.ts";
import { type Topology, trainingAddressesOf } from "./topology.ts";
import { withCertificate } from "./with-certificate.ts";

export type SeedOptions = Pick<DemoPlan, "provider" | "operatorKey" | "log" | "model" | "embeddings"> & {
  directory: string;
  signal: AbortSignal | undefined;
  tls: MeshCertificateFiles | undefined;
  programs: Programs;
  /** What the gateway signs with: only services may ask who a key stands for. */
  gatewayKeys: ServiceKeyFiles;
};

/** Rows of the demo's dataset. */
const demoRows = 300;

/** Makes the demo, or finds it, through the services. Loading this module takes as long as a server needs to start. */
export async function seedPlatform(
  topology: Topology,
  { directory, signal, tls: files, programs, gatewayKeys, ...plan }: SeedOptions,
): Promise<Demo> {
  const tls = MeshIdentity.open(files ?? {});
  using keys = new ServiceKeys(gatewayKeys, { service: "gateway" });
  const interceptors = [assertionInterceptor(new ServiceAssertions(keys, () => new Date()))];
  const to = (port = 0) => createMeshTransport({ addresses: addressOf(port), channels: 1, tls, interceptors });
  const identity = to(topology.identity.grpc);
  const training = to(topology.training[0]?.grpc);
  const content = to(topology.content.grpc);
  const deployments = to(topology.deployments.grpc);
  const data = to(topology.data.grpc);
  const trainingAddresses = trainingAddressesOf(topology);
  try {
    return await seedDemo({
      ...plan,
      clients: demoClients({ identity, training, content, deployments, data }),
      token: (client) => accessToken(urlOf(topology.oidc), client),
      recordPath: join(directory, "secrets", "demo.json"),
      job: mnistJob,
      rows: () => digitRows(demoRows),
      train: (runId, apiKey) =>
        trainToEnd(withCertificate(trainerPlan({ trainingAddresses, runId, apiKey, directory }), files), {
          programs,
          logFile: join(directory, "logs", "first-trainer.log"),
          signal,
        }),
    });
  } finally {
    await identity.close();
    await training.close();
    await content.close();
    await deployments.close();
    await data.close();
    tls?.close();
  }
}
