/** Answers whatever was put last, over plain `node:http`: the floor that `live-metrics.bench.ts` compares with. */
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

let bytes = Buffer.alloc(0);
const server = createServer(async (request, response) => {
  if (request.method === "PUT") bytes = await buffer(request);
  const body = request.method === "PUT" ? "" : bytes;
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
process.on("SIGTERM", () => process.exit());
