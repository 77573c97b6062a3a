import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { primaryMetric } from "@aiplatform/mnist-trainer/mnist-job";
import { readEnforcement } from "@aiplatform/serving-runtime/enforcement";
import { writePrivate } from "../infra/private-file.ts";
import { ProcessStartError } from "../infra/processes/supervised-process.ts";
import { InfraError } from "../infra/servers/infra-error.ts";
import { banner } from "./banner.ts";
import { ClaimedError, claimDirectory } from "./claim.ts";
import { containmentIn } from "./containment.ts";
import { DirectoryError, directoryError } from "./directory-error.ts";
import { type LocalPlatform, startPlatform } from "./local-platform.ts";
import { runStatus } from "./run-status.ts";
import { writeShellVariables } from "./shell-variables.ts";
import { signInLink } from "./sign-in-link.ts";
import { assertService, debuggerAddress, UnknownServiceError, WatchedService } from "./watched-service.ts";

const repository = resolve(import.meta.dirname, "../../../..");

const help = `npm start            starts the platform on this machine, and keeps it running until Ctrl-C
npm start -- --json  prints one line of JSON on standard output when everything is ready, instead of the greeting
npm start -- --no-trainer   without the example trainer
npm start -- --any-ports    on any free ports, so that several can be started at the same moment
npm start -- --directory D  keeps data, keys and logs in D (default .local of this repository)
npm start -- --separate     each service in a process of its own
npm start -- --watch S      starts service S again when its sources change, with a debugger at ${debuggerAddress}: npm run dev -- S
npm start -- --help  this text

MONGODB_URI (a replica set) and NATS_URL (with JetStream) name servers to use instead of those started here.
To begin again, stop the platform and remove the directory.
`;

export interface LauncherProcess {
  args: string[];
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  /** Resolves when the platform is to be stopped. */
  asked: Promise<string>;
}

/** Runs the platform until it is asked to stop. Returns the exit code. */
export async function launch({ args, stdout, stderr, asked }: LauncherProcess): Promise<number> {
  try {
    const options = readArguments(args);
    if (options.help) {
      stdout(help);
      return 0;
    }
    return await run(options, { stdout, stderr, asked });
  } catch (error) {
    stderr(`${sentence(error)}\n`);
    return 1;
  }
}

function readArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
      "no-trainer": { type: "boolean", default: false },
      "any-ports": { type: "boolean", default: false },
      directory: { type: "string", default: ".local" },
      separate: { type: "boolean", default: false },
      watch: { type: "string" },
    },
  });
  return {
    ...values,
    directory: resolve(values.directory),
    trainer: !values["no-trainer"],
    defaultPorts: !values["any-ports"],
  };
}

type RunOptions = ReturnType<typeof readArguments>;

async function run(
  { directory, json, trainer, defaultPorts, separate: isSeparate, watch }: RunOptions,
  { stdout, stderr, asked }: Omit<LauncherProcess, "args">,
): Promise<number> {
  const claim = claimDirectory(directory);
  // What `npm run doctor` looks at, while there is something to look at.
  const settingsFile = join(directory, "settings.json");
  const log = (line: string) => stderr(`${line}\n`);
  try {
    log("starting mongod, nats-server and the services");
    const abort = new AbortController();
    asked.then((reason) => abort.abort(new GivenUpError(reason)));
    if (watch !== undefined) await assertService(repository, watch);
    const watched = watch === undefined ? {} : { [watch]: { NODE_OPTIONS: `--inspect=${debuggerAddress}` } };
    const debugged = watch === undefined ? {} : { fromSources: watch };
    const separate = isSeparate ? "services" : Object.keys(watched);
    const options = {
      directory,
      trainer,
      model: true,
      embeddings: true,
      defaultPorts,
      separate,
      log,
      signal: abort.signal,
    } as const;
    const platform = await startPlatform({ ...options, ...debugged, settings: watched });
    claim.announce(platform.description.gateway);
    const { description, settings } = platform;
    await writePrivate(settingsFile, JSON.stringify(settings));
    const variables = await writeShellVariables(directory, description);
    stdout(
      json
        ? `${JSON.stringify(description)}\n`
        : banner(description, {
            ...{ metric: primaryMetric, directory, trainer, variables },
            status: await runStatus(description),
            signInLink: await signInLink(description),
            ...(await containmentIn(process.env)),
            readsUncontained: (settings["data"]?.["DATA_SANDBOX"] ?? process.env["DATA_SANDBOX"]) === "none",
            enforcement: await readEnforcement(settings["deployments"]?.["SERVING_DIRECTORY"] ?? ""),
          }),
    );
    if (watch !== undefined) {
      // Ended before the platform stops: a change meanwhile must not start a process again.
      await using _ = new WatchedService(platform, { repository, service: watch, log });
      log(`watching ${watch} and the packages; its debugger is at ${debuggerAddress}`);
      await asked;
    }
    await stopWhenAsked(platform, asked, log);
    return 0;
  } catch (error) {
    throw directoryError(directory, error);
  } finally {
    rmSync(settingsFile, { force: true });
    claim.release();
  }
}

/** It was asked to stop before it was ready. */
class GivenUpError extends Error {
  override name = "GivenUpError";

  constructor(reason: string) {
    super(`stopped before everything was ready (${reason})`);
  }
}

async function stopWhenAsked(
  platform: LocalPlatform,
  asked: Promise<string>,
  log: (line: string) => void,
): Promise<void> {
  const reason = await asked;
  log(`stopping (${reason})`);
  await platform.stop();
  log("stopped; the data stays");
}

const expected = [GivenUpError, InfraError, ProcessStartError, ClaimedError, DirectoryError, UnknownServiceError];

/** A known failure as a sentence for the user; any other with its stack, for a developer. */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known =
    expected.some((kind) => error instanceof kind) ||
    ("code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
  return known ? error.message : (error.stack ?? error.message);
}
