import { setTimeout as delay } from "node:timers/promises";
import { isStoreUnavailable, LeaseLostError } from "@aiplatform/document-store";
import { composeMail, type Mail, messageIdOf } from "./compose-mail.ts";
import { type Delivery, type DeliveryEvent, failureText, moved } from "./delivery.ts";
import type { DeliveryStore, MoveFacts } from "./delivery-store.ts";
import type { SendingDraft } from "./email-draft-store.ts";
import { FifoMutex } from "./fifo-mutex.ts";
import { mailAddress } from "./mail-address.ts";
import type { MailAnswer, MailConnection } from "./mail-connection.ts";
import type { MailServer } from "./mail-server.ts";
import { MailServerUnavailableError } from "./mail-server-settings.ts";
import { type RenderedMail, renderMails } from "./render-mails.ts";
import type { TemplateTasks } from "./render-templates.ts";
import { nextTry, type RetryPlan } from "./retry-pause.ts";

export interface DeliverySessionDependencies {
  deliveries: DeliveryStore;
  tasks: TemplateTasks;
  mailServer: MailServer;
  clock: () => Date;
}

export interface DeliverySessionOptions {
  retries: RetryPlan;
}

/** Recipients that are in memory at once. */
const batchSize = 100;
/** How often a write that the database did not answer is repeated. */
const maxRepeats = 20;
const repeatPauseMs = 250;
/** Between two polls for due deliveries, ms. */
const maxPauseMs = 1_000;

/** Sends what of a draft waits, over several connections, with one message at a time between its first byte and the answer. */
export class DeliverySession {
  readonly #dependencies: DeliverySessionDependencies;
  readonly #retries: RetryPlan;
  readonly #draft: SendingDraft;
  readonly #idle: MailConnection[];
  // A process that is killed leaves as many recipients in doubt as it hands over at once.
  readonly #handOver = new FifoMutex();
  readonly #signal: AbortSignal;

  /** `connection` is used first. */
  constructor(
    dependencies: DeliverySessionDependencies,
    draft: SendingDraft,
    {
      connection,
      signal,
      retries,
    }: DeliverySessionOptions & { connection: MailConnection | undefined; signal: AbortSignal },
  ) {
    this.#dependencies = dependencies;
    this.#retries = retries;
    this.#draft = draft;
    this.#idle = connection ? [connection] : [];
    this.#signal = signal;
  }

  /** Resolves once no delivery is waiting; when the signal is given, once no delivery is under way. */
  async send(): Promise<void> {
    try {
      while (!this.#signal.aborted && (await this.#sendDue()));
    } finally {
      for (const connection of this.#idle) connection.quit();
    }
  }

  /** Answers whether something may be left. */
  async #sendDue(): Promise<boolean> {
    const { deliveries, clock } = this.#dependencies;
    const now = clock();
    const endsAt = this.#draft.sending.beganAt.getTime() + this.#retries.giveUpMs;
    if (now.getTime() >= endsAt) {
      await deliveries.giveUp(this.#ofDraft);
      return false;
    }
    const taken = await deliveries.take(this.#ofDraft, this.#sender, { now, limit: batchSize });
    if (taken.length > 0) {
      await this.#sendAll(taken);
      return true;
    }
    await deliveries.abandonOthers(this.#ofDraft, this.#sender);
    const due = await deliveries.nextDue(this.#ofDraft);
    if (!due) return false;
    const pauseMs = Math.min(due.getTime() - now.getTime(), maxPauseMs);
    await delay(Math.max(pauseMs, 1), undefined, { signal: this.#signal }).catch(() => undefined);
    return true;
  }

  get #sender(): string {
    return this.#draft.sending.holder;
  }

  get #ofDraft() {
    return { organisationId: this.#draft.organisationId, draftId: this.#draft.id };
  }

  /** What is not begun when the server is away or the process ends is put back. */
  async #sendAll(taken: readonly Delivery[]): Promise<void> {
    const waiting = renderMails(this.#dependencies, this.#draft, taken);
    let isServerAway = false;
    const work = async () => {
      // By hand: a loop over it would end it for the others when one fails.
      for (let next = await waiting.next(); !next.done; next = await waiting.next()) {
        const { delivery } = next.value;
        if (isServerAway) await this.#defer(delivery);
        else if (this.#signal.aborted) await this.#move(delivery, "abandon");
        else isServerAway = !(await this.#deliver(next.value)) || isServerAway;
      }
    };
    const workers = Array.from({ length: this.#dependencies.mailServer.settings.connections }, work);
    const failure = (await Promise.allSettled(workers)).find((outcome) => outcome.status === "rejected");
    if (failure) throw failure.reason;
  }

  /** Answers whether there was a server to ask. */
  async #deliver({ delivery, content }: RenderedMail): Promise<boolean> {
    const address = mailAddress(delivery.email);
    if (address === undefined) {
      await this.#move(delivery, "refuse", { error: failureText("address_invalid") });
      return true;
    }
    if (content === undefined) {
      await this.#move(delivery, "refuse", { error: failureText("template_failed") });
      return true;
    }
    const connection = await this.#connection();
    if (!connection) {
      await this.#defer(delivery);
      return false;
    }
    const { from } = this.#dependencies.mailServer.settings;
    const messageId = messageIdOf(this.#draft, delivery, from);
    const to = { name: delivery.name, address };
    const mail = await composeMail({ from, to, messageId, date: this.#dependencies.clock(), content });
    await this.#ask(delivery, { connection, mail, messageId });
    if (connection.isOpen) this.#idle.push(connection);
    return true;
  }

  async #connection(): Promise<MailConnection | undefined> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) if (idle.isOpen) return idle;
    try {
      return await this.#dependencies.mailServer.open();
    } catch (error) {
      if (error instanceof MailServerUnavailableError) return undefined;
      throw error;
    }
  }

  /** Before the first byte of the message it is stored that the server may have it. */
  async #ask(
    delivery: Delivery,
    { connection, mail, messageId }: { connection: MailConnection; mail: Mail; messageId: string },
  ): Promise<void> {
    const sender = this.#sender;
    let current = delivery;
    using ticket = this.#handOver.ticket();
    const handOver = async () => {
      await ticket.acquire();
      // Broken while it waited: the server has nothing of the message, and gets nothing.
      if (!connection.isOpen) return;
      if (!(await this.#dependencies.deliveries.move(current, sender, "hand_over", { sender, messageId })))
        throw new LeaseLostError();
      current = { ...current, state: moved(current.state, "hand_over") };
    };
    try {
      const answer = await connection.send(mail, handOver);
      await this.#settle(current, answer);
    } catch (error) {
      // The database did not answer before the first byte: nothing was sent, and it is tried again.
      if (current.state !== "attempting" || !isStoreUnavailable(error)) throw error;
      await this.#keep(current);
    }
  }

  #settle(delivery: Delivery, answer: MailAnswer): Promise<void> {
    switch (answer.kind) {
      case "accepted":
        return this.#move(delivery, "accept");
      case "refused":
        return this.#move(delivery, "refuse", { error: failureText("refused", answer.code) });
      case "deferred":
        return this.#defer(delivery);
      case "lost":
        if (delivery.state === "attempting") return this.#move(delivery, "lose", { dueAt: this.#nextTry(delivery) });
        return this.#move(delivery, "lose", { error: failureText("answer_lost") });
    }
  }

  #defer(delivery: Delivery): Promise<void> {
    return this.#move(delivery, "defer", { dueAt: this.#nextTry(delivery) });
  }

  #nextTry({ attempts }: Delivery): Date {
    const { beganAt } = this.#draft.sending;
    return nextTry(attempts, { now: this.#dependencies.clock(), beganAt, plan: this.#retries });
  }

  /** What the server has answered is known here alone: it is stored even when the database is away for a moment. */
  #move(delivery: Delivery, event: DeliveryEvent, facts?: MoveFacts): Promise<void> {
    const { deliveries } = this.#dependencies;
    return this.#persist(async (isRepeat) => {
      const isMoved = await deliveries.move(delivery, this.#sender, event, facts);
      return isMoved || (isRepeat && (await deliveries.hasMoved(delivery, event, facts)));
    });
  }

  #keep(delivery: Delivery): Promise<void> {
    const { deliveries } = this.#dependencies;
    return this.#persist(async (isRepeat) => {
      const isKept = await deliveries.keep(delivery, this.#sender);
      return isKept || (isRepeat && (await deliveries.hasMoved(delivery, "keep")));
    });
  }

  /** Repeats a write that the database did not answer. @throws LeaseLostError when it answers false */
  async #persist(write: (isRepeat: boolean) => Promise<boolean>): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        if (await write(attempt > 0)) return;
        throw new LeaseLostError();
      } catch (error) {
        if (!isStoreUnavailable(error) || attempt >= maxRepeats || this.#signal.aborted) throw error;
        await delay(repeatPauseMs);
      }
    }
  }
}
