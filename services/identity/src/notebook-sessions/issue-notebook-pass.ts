import type { Caller, ContextSigner } from "@aiplatform/caller-identity";
import type { IdentityDependencies } from "../dependencies.ts";
import { HubNotConfiguredError, type NotebookHub } from "./notebook-hub.ts";
import { hubUsername } from "./notebook-user.ts";

/** Longest life of a pass, in seconds. */
const passSeconds = 300;

export type PassDependencies = Pick<IdentityDependencies, "clock"> & {
  /** Absent: the installation has no notebooks. */
  hub: NotebookHub | undefined;
  signer: Pick<ContextSigner, "signFor">;
};

/** What opens a caller's notebooks for a few minutes. */
export interface NotebookPass {
  username: string;
  /** Secret. */
  hubToken: string;
  /** Secret. */
  signedIdentity: string;
  expiresAt: Date;
}

/** @throws HubNotConfiguredError, HubUnavailableError */
export async function issueNotebookPass(
  { hub, signer, clock }: PassDependencies,
  caller: Pick<Caller, "organisationId" | "memberId" | "credentialId">,
): Promise<NotebookPass> {
  if (!hub) throw new HubNotConfiguredError();
  const username = hubUsername(caller);
  // Taken before the hub is asked, so that the token lasts as long as the pass; by our clock, which need not be the hub's.
  const latest = new Date(clock().getTime() + passSeconds * 1_000);
  const hubToken = await hub.issueToken(username, passSeconds);
  const identity = await signer.signFor("notebooks", {
    subject: username,
    claims: {
      organisation_id: caller.organisationId,
      ...(caller.memberId === undefined ? {} : { member_id: caller.memberId }),
    },
    seconds: passSeconds,
  });
  const expiresAt = identity.expiresAt < latest ? identity.expiresAt : latest;
  return { username, hubToken, signedIdentity: identity.signed, expiresAt };
}
