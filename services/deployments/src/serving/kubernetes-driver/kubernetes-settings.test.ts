import { readSettings, tlsSettings } from "@aiplatform/service-host";
import { describe, expect, it } from "vitest";
import { kubernetesSettings, missingForKubernetes } from "./kubernetes-settings.ts";

const complete = {
  SERVING_IMAGE: "registry.example/serving-runtime:1",
  SERVING_FILES_URL: "https://deployments:8081",
  SERVING_FILES_TLS: "true",
  TLS_CERT_FILE: "tls.crt",
};
const missingIn = (env: Record<string, string>) =>
  missingForKubernetes({
    ...readSettings({ ...kubernetesSettings, ...tlsSettings }, env),
    SERVING_DRIVER: "kubernetes",
  });

describe("the settings of the Kubernetes driver", () => {
  it("suffice with a certificate for the files, and without TLS", () => {
    expect(missingIn(complete)).toEqual([]);
    const { SERVING_IMAGE } = complete;
    expect(missingIn({ SERVING_IMAGE, SERVING_FILES_URL: "http://deployments:8081" })).toEqual([]);
  });

  it.each([
    ["a certificate", { TLS_CERT_FILE: "" }, "TLS_CERT_FILE is not set, and SERVING_FILES_TLS needs it"],
    [
      "an https address",
      { SERVING_FILES_URL: "http://deployments:8081" },
      "SERVING_FILES_URL must be an https URL, because SERVING_FILES_TLS is set",
    ],
    ["an image", { SERVING_IMAGE: "" }, "SERVING_IMAGE is not set, and SERVING_DRIVER=kubernetes needs it"],
  ])("do not suffice without %s", (_what, differs, said) => {
    expect(missingIn({ ...complete, ...differs })).toEqual([said]);
  });
});
