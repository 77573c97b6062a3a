import { startFakeLlm } from "./fake-llm.ts";

const { HOST = "127.0.0.1", PORT = "0" } = process.env;
const server = await startFakeLlm({ host: HOST, port: Number(PORT) });
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
