import { setTimeout as delay } from "node:timers/promises";
import { type Check, type Finding, failed, type Look, reasonOf } from "./check.ts";
import { allChecks } from "./checks/all-checks.ts";
import { withoutSecrets } from "./secrets-of.ts";
import { kindOf, mistakesOf, readService, type Service, type ServiceEnvironment } from "./services.ts";

/** What one look found, of whom. */
export interface Examination {
  check: string;
  /** Names of the processes whose settings these are. */
  of: readonly string[];
  findings: readonly Finding[];
}

/** How to look. */
export interface ExamineOptions {
  /** Time that each look has, ms. Default 15,000. */
  timeoutMs?: number;
  /** Default: all. */
  checks?: readonly Check[];
}

const usualTimeoutMs = 15_000;

/** Looks at everything that the settings say, all at once. Secrets are in no text of the answer. */
export async function examine(
  environments: readonly ServiceEnvironment[],
  { timeoutMs = usualTimeoutMs, checks = allChecks }: ExamineOptions = {},
): Promise<Examination[]> {
  const read = environments.map((environment) => readOne(environment));
  const services = read.flatMap(({ service }) => service ?? []);
  const settings = read.map(({ of, findings }) => ({ check: "settings", of: [of], findings }));
  const looks = checks.flatMap(({ name, looks }) => looks(services).map((look) => ({ check: name, look })));
  const looked = looks.map(async ({ check, look }) => ({
    check,
    of: look.of,
    findings: await within(look, timeoutMs),
  }));
  return withoutSecrets([...settings, ...(await Promise.all(looked))], environments);
}

function readOne(environment: ServiceEnvironment): { of: string; findings: Finding[]; service?: Service } {
  const { name: of } = environment;
  const kind = kindOf(of);
  if (!kind)
    return {
      of,
      findings: [failed(`${of} is no service`, "one of gateway, identity, training, content, deployments")],
    };
  try {
    const service = readService(environment, kind);
    return { of, service, findings: [{ state: "ok", says: "every setting can be read" }] };
  } catch (error) {
    const remedy = `services/${kind}/README.md has the table of settings; the rest of ${of} is not looked at until they are right`;
    return { of, findings: mistakesOf(error).map((mistake) => failed(mistake, remedy)) };
  }
}

async function within({ run, remedy }: Look, timeoutMs: number): Promise<readonly Finding[]> {
  const over = new AbortController();
  const tooLong = delay(timeoutMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${timeoutMs / 1_000} s`);
  });
  try {
    return await Promise.race([run(over.signal), tooLong]);
  } catch (error) {
    return [failed(reasonOf(error), remedy)];
  } finally {
    over.abort();
    tooLong.catch(() => {});
  }
}
