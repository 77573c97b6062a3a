import { ask, type Json, type Reachable, until } from "../mesh/rest.ts";

/**
 * Vectors of two numbers. A text `x=3 y=4` becomes 3 and 4; a list of numbers becomes its first two. `bad` is refused, and what a tensor
 * `echo` wants is answered with one number for each row.
 */
export const vectorHandler = `
const ofText = (text) => ["x", "y"].map((name) => Number(new RegExp(name + "=(-?[0-9.]+)").exec(text)?.[1] ?? 0));
export default ({ inputs: [{ name, datatype, shape, data }] }) => {
  const [count, width] = shape;
  console.log("rows " + count + " " + JSON.stringify(data).slice(0, 200));
  if (name === "scalar") return { outputs: [{ name: "vectors", datatype: "FP32", shape: [count], data: data.map(() => 1) }] };
  const rows = Array.from({ length: count }, (_, row) =>
    datatype === "BYTES" ? ofText(data[row]) : Array.from(data.slice(row * width, row * width + 2)));
  return { outputs: [{ name: "vectors", datatype: "FP32", shape: [count, 2], data: rows.flat() }] };
};
`;

/** A bundle of a handler. */
export function handlerBundle(name: string, handler: string): Json {
  return {
    name,
    serving_bundle: {
      schema_version: "serving.v1",
      runtime: { type: "prebuilt", value: "node" },
      interface: { input: { type: "object" }, output: { type: "object" } },
      name: "vectors",
      description: "",
      artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
      datasets: [],
    },
    artifacts: [{ name: "handler", content: handler, content_type: "text/javascript" }],
    serverless_run_config: { min_instances: 1, max_instances: 1, timeout_seconds: 10 },
  };
}

/** Deploys a handler; answers the deployment's id once it serves. */
export async function deployHandler(platform: Reachable, name: string, handler = vectorHandler): Promise<string> {
  const body = handlerBundle(name, handler);
  const { status, text, body: made } = await ask(platform, { path: "/deployments/custom-serving/", body });
  if (status !== 201) throw new Error(`deploying was answered ${status}: ${text}`);
  await serves(platform, made.id);
  return made.id;
}

/** Resolves once the deployment serves what was deployed last. */
export async function serves(platform: Reachable, id: string): Promise<void> {
  const look = () => ask(platform, { path: `/platform/deployments/${id}` });
  const isServed = ({ body }: Json) => body.rollout_status === "Succeeded" && body.status === "Running";
  await until("the deployment to serve", 90, look, isServed);
}

/** The embedding once it is in one of the states. */
export async function settledEmbedding(platform: Reachable, path: string, ...states: string[]): Promise<Json> {
  const look = () => ask(platform, { path });
  const isSettled = ({ body }: Json) => states.includes(body.state);
  return (await until(`the embedding to be ${states.join(" or ")}`, 90, look, isSettled)).body;
}
