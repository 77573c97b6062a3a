// The whole platform, each service a process of its own, whose instances have a certificate.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform } from "@aiplatform/local-platform";
import { CertificateAuthority, writeCertificate } from "@aiplatform/testkit/certificate-authority";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { trustedHandlers } from "../infra/trusted-handlers.ts";
import type { Json } from "../mesh/rest.ts";
import {
  deployHandler,
  deployModel,
  digitOfHandler,
  digitOfModel,
  inferPath,
  type JourneyPlace,
  reachesStatus,
  request,
  testImages,
} from "./journey.ts";

const startsWithinMs = 300_000;
const parts = new AsyncDisposableStack();
let directory: string;
let caFile: string;
let ours: CertificateAuthority;
let mongodbUri: string;
let place: JourneyPlace;
let model: Json;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "predictions-over-tls-"));
  parts.defer(() => rm(directory, { recursive: true, force: true }));
  ours = await CertificateAuthority.create("instances");
  const issued = await ours.issue({ hosts: ["serving-instance"] });
  const files = await writeCertificate(join(directory, "instances"), issued, ours.pem);
  caFile = join(directory, "gateway-ca.crt");
  await writeFile(caFile, ours.pem);
  const platform = parts.use(
    await startPlatform({
      ...{ directory: join(directory, "platform"), trainer: false, model: true, separate: ["gateway"] },
      settings: {
        gateway: { SERVING_CA_FILE: caFile },
        deployments: {
          ...trustedHandlers,
          SERVING_TLS_CERT_FILE: files.TLS_CERT_FILE,
          SERVING_TLS_KEY_FILE: files.TLS_KEY_FILE,
          SERVING_TLS_CA_FILE: files.TLS_CA_FILE,
        },
      },
    }),
  );
  mongodbUri = platform.mongodbUri;
  const { gateway, api_key: bearer, model_id: modelId } = platform.description;
  place = { gateway, bearer, modelId };
  model = await deployModel(place);
  await reachesStatus(place, model.id, "Running");
}, startsWithinMs);
afterAll(() => parts.disposeAsync());

describe("a platform whose instances have a certificate", () => {
  it("answers predictions of a model and of a handler, at instances that are reached over TLS alone", async () => {
    const [image] = await testImages([0]);
    if (!image) throw new Error("there is no test image");
    expect(await digitOfModel(place, model, image)).toBe(image.label);
    const handler = await deployHandler(place);
    await reachesStatus(place, handler.id, "Running");
    expect(await digitOfHandler(place, handler, image)).toBe(image.label);
    await using client = await MongoClient.connect(mongodbUri);
    const known = await client.db("deployments").collection<Json>("deployments").find().toArray();
    const urls = known.flatMap(({ endpoints }) => endpoints).map(({ url }: Json) => url);
    expect(urls.length).toBeGreaterThanOrEqual(2);
    expect(urls.filter((url: string) => !url.startsWith("https://"))).toEqual([]);
  });

  it("refuses predictions for instances that its gateway does not believe, and logs which and why", async () => {
    const others = await CertificateAuthority.create("others");
    await writeFile(caFile, others.pem);
    // Connections that are open go on; to a new instance there is none.
    const deployment = await deployModel(place);
    await reachesStatus(place, deployment.id, "Running");
    const refused = await request(place, inferPath(deployment), { inputs: [] });
    expect(refused.status).toBe(502);
    expect(refused.body).toMatchObject({ code: "instance_untrusted" });
    const log = await readFile(join(directory, "platform", "logs", "gateway.log"), "utf8");
    expect(log).toMatch(
      /"reason":"its certificate is of no authority that is believed here".*an instance is not trusted/,
    );
  });
});
