// Prints what publint and attw find wrong with a tarball, as a list in JSON: `node tarball-faults.ts TARBALL`.
import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** The packages are ES modules alone, which these ways of TypeScript to find types do not know. */
const withoutModules = new Set(["node10", "node16-cjs"]);

const data = Uint8Array.from(readFileSync(process.argv[2] ?? ""));
const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true });
const checked = await checkPackage(createPackageFromTarballData(data));
const problems = checked.types === false ? [] : checked.problems;
const faults = [
  ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
  ...problems
    .filter((problem) => !("resolutionKind" in problem && withoutModules.has(problem.resolutionKind)))
    .map((problem) => JSON.stringify(problem)),
];
process.stdout.write(JSON.stringify(faults));
