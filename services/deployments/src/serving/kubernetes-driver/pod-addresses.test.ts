import type { V1Pod } from "@kubernetes/client-node";
import { describe, expect, it } from "vitest";
import { addressOf, serviceUrlOf } from "./pod-addresses.ts";

const pod = (port: "http" | "https", podIP = "10.0.0.7"): V1Pod => ({
  metadata: { name: "serving-1-a" },
  spec: { containers: [{ name: "serve", ports: [{ name: port, containerPort: 1 }] }] },
  status: {
    podIP,
    containerStatuses: [
      { name: "serve", image: "", imageID: "", ready: true, restartCount: 0, state: { running: {} } },
    ],
  },
});

describe("a pod that was made with TLS, beside one that was made without", () => {
  it.each([
    ["https", "https://10.0.0.7:8443", "https://10.1.0.1:8443"],
    ["http", "http://10.0.0.7:8000", "http://10.1.0.1:8000"],
  ] as const)("%s: each is asked, and answers predictions, as it was made", (port, own, shared) => {
    expect(addressOf(pod(port))).toEqual([{ name: "serving-1-a", url: own }]);
    expect(serviceUrlOf({ spec: { clusterIP: "10.1.0.1" } })(pod(port))).toBe(shared);
  });
});

describe("an address", () => {
  it("of IPv6 is in brackets", () => {
    expect(addressOf(pod("https", "fd00::7"))[0]?.url).toBe("https://[fd00::7]:8443");
  });

  it("is none while the pod is on its way out, or has none", () => {
    expect(addressOf({ ...pod("http"), metadata: { name: "a", deletionTimestamp: new Date() } })).toEqual([]);
    expect(addressOf(pod("http", ""))).toEqual([]);
    expect(serviceUrlOf(undefined)(pod("http"))).toBeUndefined();
    expect(serviceUrlOf({ spec: { clusterIP: "None" } })(pod("http"))).toBeUndefined();
  });
});
