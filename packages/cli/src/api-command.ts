import { Command } from "commander";
import { UsageError } from "./exit-codes.ts";
import type { OperationRequest } from "./operation-request.ts";

interface ApiOptions {
  data?: string;
  header: string[];
}

export interface ApiParts {
  /** The text that `--data` means. */
  dataOf: (data: string | undefined) => Promise<string | undefined>;
  run: (request: OperationRequest) => Promise<void>;
}

const methods = ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"];

/** `api METHOD PATH`: any request, for what has no command. */
export function apiCommand({ dataOf, run }: ApiParts): Command {
  return new Command("api")
    .summary("send any request, and write its answer as it came")
    .description("Sends a request to a path of the gateway with the credential, and writes the answer as it came.")
    .argument("<method>", "GET, POST, …")
    .argument("<path>", "path and query, such as /automations/?limit=2")
    .option("--data <json>", "the body as it is, `@file` or `-` for standard input")
    .option("--header <name:value>", "a header (repeatable)", (header, former: string[]) => [...former, header], [])
    .action(async (given: string, target: string, options: ApiOptions) => {
      const method = given.toUpperCase();
      if (!methods.includes(method)) throw new UsageError(`${given} is not a method; use one of ${methods.join(", ")}`);
      // The credential goes to the gateway, and nowhere else.
      if (!target.startsWith("/") || target.startsWith("//")) throw new UsageError("the path begins with one /");
      const body = await dataOf(options.data);
      const headers = {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headersOf(options.header),
      };
      await run({ method, target, headers, ...(body !== undefined && { body }) });
    });
}

function headersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((header) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(header) ?? [];
      if (name === undefined || value === undefined) throw new UsageError(`--header must be name:value, not ${header}`);
      return [name.toLowerCase(), value];
    }),
  );
}
