import { describe, expect, it } from "vitest";
import { nameOf, renderOverlays, serviceNames } from "./rendered-overlays.ts";
import { environmentOf } from "./service-settings.ts";

const overlays = await renderOverlays();
const production = overlays.find(({ overlay }) => overlay === "production");
const laptop = overlays.find(({ overlay }) => overlay === "laptop");
const selectorOf = (name: string) => ({ "app.kubernetes.io/name": name, "app.kubernetes.io/part-of": "aiplatform" });

describe.each(serviceNames)("in production, %s", (name) => {
  const deployment = production?.all("Deployment").find((each) => nameOf(each) === name);

  it("has as many replicas as its autoscaler says, and says no number itself", () => {
    expect(deployment?.spec?.replicas).toBeUndefined();
    const autoscaler = production?.all("HorizontalPodAutoscaler").find((each) => nameOf(each) === name);
    expect(autoscaler?.spec?.scaleTargetRef).toEqual({ apiVersion: "apps/v1", kind: "Deployment", name });
    expect(autoscaler?.spec?.minReplicas).toBeGreaterThanOrEqual(2);
    expect(autoscaler?.spec?.maxReplicas).toBeGreaterThan(autoscaler?.spec?.minReplicas ?? 0);
    const target = { type: "Utilization", averageUtilization: 70 };
    expect(autoscaler?.spec?.metrics).toEqual([{ type: "Resource", resource: { name: "cpu", target } }]);
  });

  it("loses one replica at a time, and those that do not serve hold nothing up", () => {
    const budget = production?.all("PodDisruptionBudget").find((each) => nameOf(each) === name);
    expect(budget?.spec).toEqual({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: "AlwaysAllow",
      selector: { matchLabels: selectorOf(name) },
    });
  });

  it("is replaced without a replica less", () => {
    const rollingUpdate = { maxUnavailable: 0, maxSurge: 1 };
    expect(deployment?.spec?.strategy).toEqual({ type: "RollingUpdate", rollingUpdate });
  });

  it("keeps its replicas apart, over zones and nodes, while there is room", () => {
    const constraints = deployment?.spec?.template.spec?.topologySpreadConstraints ?? [];
    expect(constraints.map(({ topologyKey }) => topologyKey)).toEqual([
      "topology.kubernetes.io/zone",
      "kubernetes.io/hostname",
    ]);
    for (const { whenUnsatisfiable, matchLabelKeys } of constraints) {
      expect(whenUnsatisfiable).toBe("ScheduleAnyway");
      expect(matchLabelKeys).toEqual(["app.kubernetes.io/name", "pod-template-hash"]);
    }
  });
});

describe.each(overlays)("overlay $overlay", (rendered) => {
  it("replaces every service before its old pod goes, deployments on the node of its artifacts", () => {
    for (const { spec } of rendered.all("Deployment")) expect(spec?.strategy?.type).toBe("RollingUpdate");
  });

  it("lets services call each replica by its own address, so that new ones get their share", () => {
    for (const name of serviceNames.filter((each) => each !== "gateway")) {
      const headless = rendered.all("Service").find((each) => nameOf(each) === `${name}-headless`);
      expect(headless?.spec).toMatchObject({ clusterIP: "None", selector: selectorOf(name) });
    }
    const addresses = Object.entries(environmentOf(rendered, "gateway")).filter(([name]) => name.endsWith("_ADDRESS"));
    expect(addresses).toHaveLength(5);
    for (const [name, value] of addresses) {
      const service = name.replace("_ADDRESS", "").toLowerCase();
      expect(value).toBe(`${service}-headless:50051|${service}:50051`);
    }
  });
});

describe("on a laptop", () => {
  it("there is one replica of each, which nothing forbids to evict", () => {
    expect(laptop?.all("Deployment").map((each) => each.spec?.replicas)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(laptop?.all("PodDisruptionBudget")).toEqual([]);
    expect(laptop?.all("HorizontalPodAutoscaler")).toEqual([]);
  });
});
