import { describe, expect, it } from "vitest";
import { imageFrom, textOf } from "./render-overlay.ts";

const digest = `sha256:${"0".repeat(64)}`;

describe("an image of ours", () => {
  it.each([
    ["aiplatform/gateway:0.1.0", {}, "aiplatform/gateway:0.1.0"],
    ["aiplatform/gateway:0.1.0", { tag: "7" }, "aiplatform/gateway:7"],
    ["aiplatform/gateway:0.1.0", { registry: "r.example:5000" }, "r.example:5000/aiplatform/gateway:0.1.0"],
    ["aiplatform/gateway:0.1.0", { registry: "r.example/team/", tag: "7" }, "r.example/team/aiplatform/gateway:7"],
    ["r.example:5000/aiplatform/gateway", { tag: "7" }, "r.example:5000/aiplatform/gateway:7"],
    ["r.example/aiplatform/gateway:0.1.0", { registry: "s.example" }, "s.example/aiplatform/gateway:0.1.0"],
    [`r.example/aiplatform/gateway@${digest}`, { registry: "s.example" }, `s.example/aiplatform/gateway@${digest}`],
    [`r.example/aiplatform/gateway@${digest}`, { tag: "7" }, "r.example/aiplatform/gateway:7"],
  ])("%s, with %j, is %s", (image, source, wanted) => {
    expect(imageFrom(image, source)).toBe(wanted);
  });
});

describe("objects as a text", () => {
  it("keep texts that YAML might take for something else", () => {
    const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { b: "off", c: "0440" } };
    expect(JSON.parse(textOf([manifest])).items).toEqual([manifest]);
  });
});
