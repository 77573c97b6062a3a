import type { Check } from "../check.ts";
import { either, failed } from "../finding.ts";

/** Oldest Node that runs the services: it strips types, and has what they use. */
const minNode = 26;

/** The Node that the service runs on. */
export const runtime: Check = {
  name: "node",
  remedy: "",
  run: async () => {
    const { node } = process.versions;
    const remedy = `the services need Node ${minNode} or newer: npm ci brings one, the images have it`;
    return [either(Number.parseInt(node, 10) >= minNode, `Node ${node}`, failed(`Node ${node} is too old`, remedy))];
  },
};
