import { launch } from "./launcher/launch.ts";

const { promise: asked, resolve } = Promise.withResolvers<string>();
/** The same Ctrl-C may arrive twice, from the terminal and through npm. A signal after this time ends the process at once. */
const sameSignalMs = 1_000;
let firstSignalAt = 0;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    firstSignalAt ||= Date.now();
    resolve(signal);
    // The guard of the processes stops what is left.
    if (Date.now() - firstSignalAt > sameSignalMs) process.exit(130);
  });
}
process.on("disconnect", () => resolve("the process that started it is gone"));
process.channel?.unref();
// The reader of the output is gone: that is no reason to stop.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

const code = await launch({
  args: process.argv.slice(2),
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  asked,
});
process.exit(code);
