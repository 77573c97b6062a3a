import { InvalidFieldsError } from "@aiplatform/service-host";
import { describe, expect, it } from "vitest";
import { heldPermissions, readJupyterPermissions } from "./jupyter-permissions.ts";

describe("a permissions query", () => {
  it.each([
    ["", {}],
    ["{}", {}],
    ['{"contents":["read","write"]}', { contents: ["read", "write"] }],
    ['{"contents":[]}', { contents: [] }],
    [' { "x" : [ "y" ] } ', { x: ["y"] }],
  ])("%j asks for %j", (text, wanted) => {
    expect(readJupyterPermissions(text)).toEqual(wanted);
  });

  it.each([
    "{",
    "contents",
    "null",
    "1",
    '"contents"',
    "[]",
    '[{"contents":["read"]}]',
    '{"contents":"read"}',
    '{"contents":null}',
    '{"contents":[1]}',
    '{"contents":["read",null]}',
    '{"contents":{"read":true}}',
  ])("%j is refused, and the field is named", (text) => {
    const read = () => readJupyterPermissions(text);
    expect(read).toThrow(InvalidFieldsError);
    expect(read).toThrow(/^permissions: must be a JSON object of resource to list of actions/);
  });
});

describe("of the permissions asked for", () => {
  const wanted = {
    contents: ["read", "write", "fly"],
    kernels: ["execute"],
    training: ["command", "override"],
    metrics: ["read"],
    "*": ["*"],
  };

  it.each<[string, string[], Record<string, string[]>]>([
    ["a caller without permissions holds none", [], {}],
    ["one of our own is held by name", ["training:command"], { training: ["command"] }],
    [
      "Jupyter Server's own are held with notebooks:use",
      ["notebooks:use"],
      { contents: ["read", "write"], kernels: ["execute"] },
    ],
    [
      "both ways add up",
      ["notebooks:use", "metrics:read"],
      { contents: ["read", "write"], kernels: ["execute"], metrics: ["read"] },
    ],
  ])("%s", (_title, held, expected) => {
    const none = Object.fromEntries(Object.keys(wanted).map((resource) => [resource, []]));
    expect(heldPermissions(wanted, new Set(held))).toEqual({ ...none, ...expected, updatable_fields: [] });
  });

  it("a resource named like a property of objects is one like any other", () => {
    const asked = readJupyterPermissions('{"__proto__":["read"],"constructor":["read"]}');
    const text = JSON.stringify(heldPermissions(asked, new Set(["constructor:read"])));
    expect(text).toBe('{"__proto__":[],"constructor":["read"],"updatable_fields":[]}');
  });

  it("the fields that can be updated are none, also where a resource has that name", () => {
    const asked = readJupyterPermissions('{"updatable_fields":["name"]}');
    expect(heldPermissions(asked, new Set(["updatable_fields:name"]))).toEqual({ updatable_fields: [] });
  });
});
