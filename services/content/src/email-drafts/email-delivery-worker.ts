import type { LeaseTerm, Outbox } from "@aiplatform/document-store";
import { ClaimingWorker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { OperationContext } from "../operation-context.ts";
import { type DeliveryCounts, statusAfter } from "./delivery.ts";
import { DeliverySession, type DeliverySessionDependencies, type DeliverySessionOptions } from "./delivery-session.ts";
import { EmailDraftSendingError } from "./email-draft.ts";
import { emailDraftSent } from "./email-draft-events.ts";
import type { EmailDraftStore, SendingDraft } from "./email-draft-store.ts";
import type { MailConnection } from "./mail-connection.ts";

export interface EmailDeliveryWorkerDependencies extends DeliverySessionDependencies, WorkerPlatform {
  emailDrafts: EmailDraftStore;
  /** Organisations whose work waits. */
  waitingOrganisations: () => Promise<ReadonlySet<string>>;
  outbox: Pick<Outbox, "stage">;
  transaction: OperationContext["transaction"];
  /** Counts how a sending's recipients ended. */
  ended: (counts: DeliveryCounts) => void;
}

export interface EmailDeliveryWorkerOptions extends DeliverySessionOptions {
  /** Time without a renewal after which another process takes a sending over, ms. */
  leaseMs: number;
}

/** Drafts that this process has taken over at once. */
const concurrency = 16;

/** The drafts that this process sends. It takes over those whose senders are gone, whichever process they were in. */
export class EmailDeliveryWorker implements AsyncDisposable {
  readonly #dependencies: EmailDeliveryWorkerDependencies;
  readonly #options: EmailDeliveryWorkerOptions;
  readonly #beginning = new Set<string>();
  readonly #worker: ClaimingWorker<SendingDraft>;

  constructor(dependencies: EmailDeliveryWorkerDependencies, options: EmailDeliveryWorkerOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
    this.#worker = new ClaimingWorker<SendingDraft>(dependencies, {
      name: "email-delivery",
      leases: dependencies.emailDrafts.leases,
      waitingOrganisations: dependencies.waitingOrganisations,
      leaseMs: options.leaseMs,
      concurrency,
      run: ({ work: draft, holder }, signal) => this.#takeOver(draft, holder, signal),
    });
  }

  /** Who is to send a draft, and for how long without a renewal. */
  newTerm(): LeaseTerm {
    return this.#worker.newTerm();
  }

  /** Runs the beginning of a sending, one of a draft at a time. @throws EmailDraftSendingError */
  async begin<R>(draftId: string, work: () => Promise<R>): Promise<R> {
    if (this.#beginning.has(draftId)) throw new EmailDraftSendingError(draftId);
    this.#beginning.add(draftId);
    try {
      return await work();
    } finally {
      this.#beginning.delete(draftId);
    }
  }

  /** Sends a draft under a lease that was taken with {@link newTerm}. Resolves at its end, whatever that is; never rejects. */
  send(draft: SendingDraft, connection: MailConnection): Promise<void> {
    const { organisationId, id, sending } = draft;
    const lease = { organisationId, id, holder: sending.holder, failures: 0 };
    return this.#worker.adopt(lease, (signal) => this.#send(draft, signal, connection));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker[Symbol.asyncDispose]();
  }

  async #takeOver(draft: SendingDraft, holder: string, signal: AbortSignal): Promise<void> {
    const { organisationId, id: draftId } = draft;
    await this.#dependencies.deliveries.abandonOthers({ organisationId, draftId }, holder);
    await this.#send(draft, signal);
  }

  async #send(draft: SendingDraft, signal: AbortSignal, connection?: MailConnection): Promise<void> {
    let first = connection;
    do {
      await new DeliverySession(this.#dependencies, draft, { ...this.#options, connection: first, signal }).send();
      first = undefined;
    } while (!signal.aborted && !(await this.#end(draft)));
  }

  /** Answers false while a delivery has not ended. */
  async #end(draft: SendingDraft): Promise<boolean> {
    const { emailDrafts, deliveries, outbox, transaction, clock } = this.#dependencies;
    const { organisationId, id, sending } = draft;
    const ofDraft = { organisationId, draftId: id };
    let outcome: DeliveryCounts | undefined;
    const isOver = await transaction(async (session) => {
      outcome = undefined;
      if (!(await deliveries.haveEnded(ofDraft, session))) return false;
      const counts = await deliveries.counts(ofDraft, session);
      const time = clock();
      const ended = { id, organisationId, status: statusAfter(counts), sentAt: time };
      if (!(await emailDrafts.endSending(organisationId, ended, sending.holder, session))) return true;
      await outbox.stage(session, emailDraftSent(ended, { counts, time, cause: sending.cause }));
      outcome = counts;
      return true;
    });
    if (outcome) this.#dependencies.ended(outcome);
    return isOver;
  }
}
