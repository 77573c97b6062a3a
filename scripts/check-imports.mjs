// Imports go down only: no service knows another's insides, and packages know no service.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { root, runMain, StepError } from "./install.mjs";

const importPattern = /(?:from|import)\s*\(?\s*["']([^"']+)["']/g;
const serviceNames = readdirSync(join(root, "services"));

/** Why a file may not import that, or undefined. */
function objection(file, specifier) {
  const [kind, name] = file.split(sep);
  if (file.split(sep)[2] !== "src") return undefined;
  const target = specifier.startsWith(".")
    ? relative(root, resolve(root, file, "..", specifier)).split(sep)
    : undefined;
  const service = target
    ? target[0] === "services" && target[1]
    : serviceNames.find((each) => specifier.startsWith(`@aiplatform/${each}`));
  // The doctor reads what services say of their own settings, and no more of them.
  if (name === "doctor" && specifier === `@aiplatform/${service}/checkup`) return undefined;
  if (kind === "packages" && service) return "a package imports a service";
  if (kind === "services" && service && service !== name) return "a service imports another";
  if (target && (target[0] !== kind || target[1] !== name)) return "a relative import leaves its workspace";
  if (name !== "event-stream" && (specifier === "nats" || specifier.startsWith("nats/")))
    return "only event-stream imports nats";
  return undefined;
}

const sources = ["packages", "services", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((path) => /\.ts$/.test(path) && !/node_modules|dist|^contract/.test(path))
    .map((path) => join(folder, path)),
);

runMain(async () => {
  const broken = sources.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(importPattern)].flatMap(([, specifier]) => {
      const reason = objection(file, specifier);
      return reason ? [`${file}: ${reason} (${specifier})`] : [];
    }),
  );
  if (broken.length > 0) throw new StepError(broken.join("\n"));
});
