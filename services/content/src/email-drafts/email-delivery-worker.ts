import { setTimeout as delay } from "node:timers/promises";
import type { Outbox } from "@aiplatform/document-store";
import { startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { OperationContext } from "../operation-context.ts";
import { type DeliveryCounts, statusAfter } from "./delivery.ts";
import {
  DeliverySession,
  type DeliverySessionDependencies,
  type DeliverySessionOptions,
  SenderReplacedError,
} from "./delivery-session.ts";
import { EmailDraftSendingError } from "./email-draft.ts";
import { emailDraftSent } from "./email-draft-events.ts";
import type { EmailDraftStore, SendingDraft } from "./email-draft-store.ts";
import type { MailConnection } from "./mail-connection.ts";

export interface EmailDeliveryWorkerDependencies extends DeliverySessionDependencies, WorkerPlatform {
  emailDrafts: EmailDraftStore;
  outbox: Pick<Outbox, "stage">;
  transaction: OperationContext["transaction"];
  newId: () => string;
  /** Counts how a sending's recipients ended. */
  ended: (counts: DeliveryCounts) => void;
}

export interface EmailDeliveryWorkerOptions extends DeliverySessionOptions {
  /** Time without a renewal after which another process takes a sending over, ms. */
  leaseMs: number;
}

/** Drafts that are taken over in one look. */
const takeoverBatch = 5;
/** Between two rounds, ms. */
const maxPauseMs = 1_000;

/** The drafts that this process sends. It takes over those whose senders are gone, whichever process they were in. */
export class EmailDeliveryWorker implements AsyncDisposable {
  readonly #dependencies: EmailDeliveryWorkerDependencies;
  readonly #options: EmailDeliveryWorkerOptions;
  readonly #stop = new AbortController();
  readonly #beginning = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #worker: Worker;

  constructor(dependencies: EmailDeliveryWorkerDependencies, options: EmailDeliveryWorkerOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
    const pauseMs = Math.min(options.leaseMs / 3, maxPauseMs);
    this.#worker = startWorker(dependencies, { name: "email-delivery", pauseMs, round: () => this.#takeOver() });
  }

  /** Who sends, and until when that is believed. */
  newLease(): { sender: string; until: Date } {
    return { sender: this.#dependencies.newId(), until: this.#leaseEnd() };
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

  /** Sends a draft whose sender this process is. Resolves at its end, whatever that is; never rejects. */
  run(draft: SendingDraft, connection?: MailConnection): Promise<void> {
    const running = this.#send(draft, connection)
      .catch(async (error: unknown) => {
        if (error instanceof SenderReplacedError) return;
        this.#dependencies.logger.warn({ err: error, draft_id: draft.id }, "sending an e-mail draft was interrupted");
        // The process that takes the draft over goes on: at once, or when the lease has run out.
        await this.#release(draft).catch(() => undefined);
      })
      .finally(() => this.#running.delete(draft.id));
    this.#running.set(draft.id, running);
    return running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#worker[Symbol.asyncDispose]();
    await Promise.all(this.#running.values());
  }

  #leaseEnd(): Date {
    return new Date(this.#dependencies.clock().getTime() + this.#options.leaseMs);
  }

  async #send(draft: SendingDraft, connection: MailConnection | undefined): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#stop.signal]);
    const renewing = this.#renew(draft, over);
    try {
      let first = connection;
      do {
        await new DeliverySession(this.#dependencies, draft, { ...this.#options, connection: first, signal }).send();
        first = undefined;
      } while (!signal.aborted && !(await this.#end(draft)));
    } finally {
      over.abort();
      await renewing;
    }
    if (this.#stop.signal.aborted) await this.#release(draft);
  }

  /** Renews the lease until the sending is over; ends it when another has taken it over. */
  async #renew({ organisationId, id, sending }: SendingDraft, over: AbortController): Promise<void> {
    const { emailDrafts } = this.#dependencies;
    while (!over.signal.aborted) {
      await delay(this.#options.leaseMs / 3, undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted) return;
      const isOurs = await emailDrafts
        .renewSending(organisationId, id, { sender: sending.sender, until: this.#leaseEnd() })
        // Once the database is back it is either still ours or another's.
        .catch(() => true);
      if (!isOurs) over.abort();
    }
  }

  /** Lets another process go on at once. */
  async #release({ organisationId, id, sending: { sender } }: SendingDraft): Promise<void> {
    await this.#dependencies.emailDrafts.renewSending(organisationId, id, {
      sender,
      until: this.#dependencies.clock(),
    });
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
      if (!(await emailDrafts.endSending(organisationId, ended, sending.sender, session))) return true;
      await outbox.stage(session, emailDraftSent(ended, { counts, time, cause: sending.cause }));
      outcome = counts;
      return true;
    });
    if (outcome) this.#dependencies.ended(outcome);
    return isOver;
  }

  async #takeOver(): Promise<void> {
    const { emailDrafts, deliveries, clock } = this.#dependencies;
    for (const draft of await emailDrafts.abandoned(clock(), takeoverBatch)) {
      const lease = this.newLease();
      if (this.#stop.signal.aborted || !(await emailDrafts.takeOver(draft, lease))) continue;
      await deliveries.abandonOthers({ organisationId: draft.organisationId, draftId: draft.id }, lease.sender);
      void this.run({ ...draft, sending: { ...draft.sending, ...lease } });
    }
  }
}
