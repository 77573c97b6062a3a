import { createInterface } from "node:readline/promises";
import { Command, InvalidArgumentError } from "commander";
import { InstallError } from "./errors.ts";
import { install, nextSteps, type Surroundings } from "./install.ts";
import { Kubectl } from "./kubectl.ts";
import { mainNamespace } from "./manifest.ts";
import { createOrganisation } from "./organisation.ts";
import { assertClusterChosen } from "./prerequisites.ts";
import { overlayNames } from "./render-overlay.ts";
import { readStatus, statusTable } from "./status.ts";
import { uninstall } from "./uninstall.ts";

interface ContextOption {
  context?: string;
}

/** The command line. `print` hears results, `log` progress. */
export function createProgram(print: (line: string) => void, log: (line: string) => void): Command {
  const program = new Command("npm run k8s --")
    .description(
      "Installs the platform on the Kubernetes cluster that KUBECONFIG or --context names, shows its state, and removes it.",
    )
    .showHelpAfterError("(--help tells more)");
  const surroundings = async ({ context }: ContextOption): Promise<Surroundings> => {
    const kubectl = new Kubectl({ context });
    await assertClusterChosen(kubectl, process.env);
    return { kubectl, log };
  };
  program.addCommand(installCommand(surroundings, print));
  program.addCommand(organisationCommand(surroundings, print));
  program.addCommand(statusCommand(surroundings, print));
  program.addCommand(uninstallCommand(surroundings));
  return program;
}

type SurroundingsOf = (options: ContextOption) => Promise<Surroundings>;
const overlayWords = `${overlayNames.join(", ")}, or the folder of an overlay of your own`;

function command(name: string, description: string): Command {
  return new Command(name).description(description).option("--context <name>", "context of the kubeconfig");
}

function installCommand(surroundings: SurroundingsOf, print: (line: string) => void): Command {
  return command("install", "installs the platform, or brings it up to date; safe to repeat")
    .option("--overlay <name>", overlayWords, "laptop")
    .option("--registry <address>", "builds the images, pushes them there and takes them from there")
    .option("--load <command>", "builds the images and runs this for each, {archive} being its file")
    .option("--built", "builds no images: they are where the cluster finds them", false)
    .option("--tag <tag>", "tag of the images; default: as the overlay says")
    .option("--timeout <seconds>", "how long rollouts may take", readSeconds, 600)
    .action(async ({ timeout: timeoutSeconds, ...options }) => {
      const where = await surroundings(options);
      await install(where, { ...options, timeoutSeconds });
      print(nextSteps(where.kubectl));
    });
}

function organisationCommand(surroundings: SurroundingsOf, print: (line: string) => void): Command {
  return command("organisation", "makes an organisation and prints a key of it, this once")
    .requiredOption("--slug <slug>", "short name, unique in the installation")
    .requiredOption("--name <name>", "name for people")
    .requiredOption("--administrator <address>", "e-mail address of its first member")
    .action(async (options) => print(await createOrganisation(await surroundings(options), options)));
}

function statusCommand(surroundings: SurroundingsOf, print: (line: string) => void): Command {
  return command("status", "shows the state of every part; fails unless all are ready").action(async (options) => {
    const { kubectl } = await surroundings(options);
    const workloads = await readStatus(kubectl);
    if (workloads.length === 0) throw new InstallError(`Nothing of the platform is in the namespace ${mainNamespace}.`);
    print(statusTable(workloads));
    const broken = workloads.filter(({ isWhole }) => !isWhole).map(({ name }) => name);
    if (broken.length > 0) throw new InstallError(`Not ready: ${broken.join(", ")}.`);
  });
}

function uninstallCommand(surroundings: SurroundingsOf): Command {
  return command("uninstall", "takes the platform away; volumes and secrets stay")
    .option("--overlay <name>", overlayWords, "laptop")
    .option("--data", "takes volumes and secrets as well: nothing can bring them back", false)
    .option("-y, --yes", "asks nothing", false)
    .action(async ({ yes, ...options }) => {
      const { kubectl, log } = await surroundings(options);
      const what = options.data ? "the platform with all of its data" : "the platform, but not its data,";
      if (!yes && !(await confirmed(`Take ${what} out of ${await clusterName(kubectl, options)}?`))) {
        throw new InstallError("Nothing was done.");
      }
      await uninstall({ kubectl, log }, options);
    });
}

async function clusterName(kubectl: Kubectl, { context }: ContextOption): Promise<string> {
  return context ?? (await kubectl.run(["config", "current-context"])).trim();
}

async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new InstallError("There is no terminal to ask on: pass --yes.");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test(await terminal.question(`${question} [y/N] `));
  } finally {
    terminal.close();
  }
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isSafeInteger(seconds) || seconds < 1)
    throw new InvalidArgumentError("a whole number of seconds is needed.");
  return seconds;
}
