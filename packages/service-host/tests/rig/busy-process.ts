// Opens an admin port, says its address, and blocks its event loop for as many milliseconds as each line of its input says.
// Its argument: milliseconds of silence from which on it is stuck.

import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readiness } from "../../src/checks/readiness.ts";
import { startAdminServer } from "../../src/serving/admin-server.ts";

const readiness = new Readiness({}, 1_000);
const { port } = await startAdminServer({
  host: "127.0.0.1",
  port: 0,
  readiness: () => readiness,
  exposeMetrics: async () => "# metrics\n",
  stuckAfterMs: Number(process.argv[2]),
});
readiness.enter("serving");
const say = (line: string) => writeSync(1, `${line}\n`);
say(`http://127.0.0.1:${port}`);
for await (const line of createInterface({ input: process.stdin })) {
  say("blocked");
  const until = performance.now() + Number(line);
  while (performance.now() < until);
  say("unblocked");
}
