import { describe, expect, it } from "vitest";
import { FileListError, parseFileList } from "./file-list.ts";

const url = "http://deployments:8081/serving-files/o/d/v/";
const file = { path: "models/digits.onnx", sha256: "a".repeat(64), sizeBytes: 7 };
const withFile = (differs: object) => JSON.stringify({ url, files: [{ ...file, ...differs }] });

describe("a list of files", () => {
  it("is read as it was written", () => {
    expect(parseFileList(JSON.stringify({ url, files: [file] }))).toEqual({ url, files: [file] });
  });

  it.each([
    ["null", "null"],
    ["a list", "[]"],
    ["no address", JSON.stringify({ files: [] })],
    ["an address that is none", JSON.stringify({ url: "deployments/", files: [] })],
    ["an address of one file", JSON.stringify({ url: "http://deployments/a", files: [] })],
    ["no list", JSON.stringify({ url, files: {} })],
    ["a path that leads out", withFile({ path: "../a" })],
    ["a path that leads out later", withFile({ path: "a/../../b" })],
    ["a path from the root", withFile({ path: "/etc/passwd" })],
    ["a path that is not plain", withFile({ path: "a//b" })],
    ["the folder itself", withFile({ path: "." })],
    ["an end within the path", withFile({ path: "a\0b" })],
    ["no path", withFile({ path: undefined })],
    ["a digest that is none", withFile({ sha256: "../a" })],
    ["no size", withFile({ sizeBytes: "7" })],
  ])("with %s is none", (_what, text) => {
    expect(() => parseFileList(text)).toThrow(FileListError);
  });
});
