import { startPromptStandIn } from "./prompt-stand-in.ts";

const { HOST = "127.0.0.1", PORT = "0" } = process.env;
const server = await startPromptStandIn({ host: HOST, port: Number(PORT) });
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
