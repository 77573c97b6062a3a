import { type Check, either, failed } from "../check.ts";

/** Oldest Node that runs the services: it strips types, and has what they use. */
const oldestNode = 26;

/** The Node that this runs on, which inside an image is the service's. */
export const runtime: Check = {
  name: "node",
  looks: () => [
    {
      of: ["node"],
      remedy: "",
      run: async () => {
        const { node } = process.versions;
        const remedy = `the services need Node ${oldestNode} or newer: npm ci brings one, the images have it`;
        return [
          either(Number.parseInt(node, 10) >= oldestNode, `Node ${node}`, failed(`Node ${node} is too old`, remedy)),
        ];
      },
    },
  ],
};
