import { answerOf, createPlatformClient } from "@aiplatform/client";
import { Command } from "commander";
import { UsageError } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { withContext } from "./config-commands.ts";
import { type Connection, credentialOf } from "./connection.ts";
import { readContexts, writeContexts } from "./context-file.ts";

export interface SessionParts {
  invocation: Pick<Invocation, "env" | "stderr" | "stdin">;
  connection: () => Connection;
  print: (value: unknown) => void;
  signal: () => AbortSignal | undefined;
}

/** `login`: reads a credential, tries it, keeps it as a context and makes that the current one. */
export function loginCommand(parts: SessionParts): Command {
  const { env, stderr } = parts.invocation;
  return new Command("login")
    .summary("keep a credential from standard input, after trying it, and use it from now on")
    .description(
      "Reads an API key or an access token from standard input, tries it at --url, and keeps both as a context.",
    )
    .argument("[context]", "name of the context; otherwise the host's name")
    .action(async (name: string | undefined) => {
      const { baseUrl } = parts.connection();
      const connection = { baseUrl, credential: await credentialFrom(parts.invocation) };
      const { organisation_id, kind, member_id } = await caller(connection, parts.signal());
      const context = name ?? new URL(baseUrl).host;
      const contexts = withContext(readContexts(env), context, { url: baseUrl, credential: connection.credential });
      writeContexts(env, { ...contexts, current: context });
      stderr(
        `logged in to ${baseUrl} as ${member_id ?? kind} of organisation ${organisation_id}; context ${context}\n`,
      );
    });
}

/** `whoami`: who the platform takes the credential for, and what that may do. */
export function whoamiCommand({ connection, print, signal }: SessionParts): Command {
  return new Command("whoami").summary("who the credential is, and what it may do").action(async () => {
    const connected = connection();
    const { organisation_id, kind, member_id, roles, scopes } = await caller(connected, signal());
    const { baseUrl, context } = connected;
    print({ url: baseUrl, context: context ?? null, organisation_id, kind, member_id, roles, permissions: scopes });
  });
}

async function caller(connection: Connection, signal: AbortSignal | undefined) {
  const platform = createPlatformClient({ baseUrl: connection.baseUrl, credential: credentialOf(connection) });
  return answerOf(await platform.GET("/notebooks/services/session/api/me", { signal: signal ?? null }));
}

async function credentialFrom({ stdin }: Pick<Invocation, "stdin">): Promise<string> {
  const text = stdin.isTerminal ? await stdin.ask("API key: ", { hidden: true }) : await stdin.read();
  const credential = text.trim();
  if (!credential) throw new UsageError("standard input holds no credential");
  return credential;
}
