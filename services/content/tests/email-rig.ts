import { randomUUID } from "node:crypto";
import { EmailDraftService } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { connectDocumentStore } from "@aiplatform/document-store";
import { readConfig as readIdentityConfig, startIdentityService } from "@aiplatform/identity";
import { contextSigningKey, dropDatabase, environmentOf, newTestEnvironment, TestClient } from "@aiplatform/testkit";
import type { Client } from "@connectrpc/connect";
import { ContentRig } from "./content-rig.ts";

/** Who is to be a recipient. */
export interface Person {
  name: string;
  email: string;
}

/** A real identity, which knows the recipients. Files that start several rigs start one and share it. */
export async function startEmailIdentity(): Promise<AsyncDisposable & { readonly address: string }> {
  await using parts = new AsyncDisposableStack();
  const home = newTestEnvironment("identity");
  const identity = parts.use(
    await startIdentityService(
      readIdentityConfig(
        environmentOf(home, {
          CONTEXT_SIGNING_KEY: contextSigningKey,
          API_KEY_HASH_SECRET: "hash-secret-of-the-tests-0123456789abcdef",
          OIDC_ISSUERS: "[]",
        }),
      ),
    ),
  );
  parts.defer(async () => {
    await using store = await connectDocumentStore({
      uri: home.MONGODB_URI,
      database: home.MONGODB_DATABASE,
      appName: "e-mail tests",
    });
    await dropDatabase(store);
  });
  const owned = parts.move();
  return { address: identity.addresses.grpc, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Content beside a real identity, which knows the recipients. */
export class EmailRig implements AsyncDisposable {
  readonly content: ContentRig;
  /** A client of an API key of acme. */
  readonly drafts: Client<typeof EmailDraftService>;
  readonly members: Client<typeof MemberService>;
  readonly #identity: string;
  readonly #parts: AsyncDisposableStack;

  private constructor(content: ContentRig, identity: string, parts: AsyncDisposableStack) {
    this.content = content;
    this.#identity = identity;
    const permissions = ["members:manage", "emails:write"];
    const client = parts.use(new TestClient(identity, { organisationId: content.acme, permissions }));
    this.members = client.client(MemberService);
    this.drafts = content.as().client(EmailDraftService);
    this.#parts = parts;
  }

  /** `identity` is the address of one that the caller keeps. Default: one of the rig's own. */
  static async start(
    settings: Record<string, string> = {},
    { identity, ...o }: { replicas?: number; identity?: string } = {},
  ): Promise<EmailRig> {
    await using parts = new AsyncDisposableStack();
    const grpc = identity ?? parts.use(await startEmailIdentity()).address;
    const content = parts.use(await ContentRig.start({ ...o, settings: { ...settings, IDENTITY_ADDRESS: grpc } }));
    return new EmailRig(content, grpc, parts.move());
  }

  /** Adds a member; an active one. */
  async member({ name, email }: Partial<Person> = {}): Promise<string> {
    const subject = randomUUID();
    const { member } = await this.members.createMember({
      member: {
        displayName: name ?? "Grace Hopper",
        email: email ?? `${subject}@people.test`,
        issuer: "https://issuer.test",
        subject,
      },
    });
    return member?.id ?? "";
  }

  /** Says for the member whether they want no e-mails. */
  async optOut(memberId: string, emailOptedOut = true): Promise<void> {
    const caller = { organisationId: this.content.acme, memberId, permissions: [] };
    using client = new TestClient(this.#identity, caller);
    await client.client(MemberService).setOwnEmailPreference({ emailOptedOut });
  }

  /** Writes a draft to as many new members, or to these, and answers its id. */
  async draft(recipients: number | string[] = 1, content: { subject?: string; text?: string; html?: string } = {}) {
    const ids = typeof recipients === "number" ? [] : recipients;
    for (let i = 0; typeof recipients === "number" && i < recipients; i++) ids.push(await this.member());
    const wanted = { subject: "News", text: "Dear {{ member.display_name }}", ...content, recipientMemberIds: ids };
    const { draft } = await this.drafts.createEmailDraft(wanted);
    return draft?.id ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }
}
