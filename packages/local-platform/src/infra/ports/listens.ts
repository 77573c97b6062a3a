import { connect } from "node:net";
import { host } from "./addresses.ts";

/** Whether a process listens on the port of this machine. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => socket.destroy());
    socket.on("error", () => resolve(false)).on("close", (failed) => resolve(!failed));
  });
}
