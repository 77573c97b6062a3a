import type { Delivery } from "./delivery.ts";
import type { EmailDraft } from "./email-draft.ts";
import type { TemplateTasks } from "./render-templates.ts";
import { type Rendered, TemplateError } from "./templates.ts";

/** A recipient, and what they get: undefined where a template stands in the way. */
export interface RenderedMail {
  delivery: Delivery;
  content: Rendered | undefined;
}

/** Fills in a draft for recipients in batches, each when the one before is used up. */
export async function* renderMails(
  { tasks }: { tasks: TemplateTasks },
  draft: Pick<EmailDraft, "organisationId" | "subject" | "text" | "html">,
  deliveries: readonly Delivery[],
): AsyncGenerator<RenderedMail> {
  const { organisationId, subject, text, html } = draft;
  for (let left = deliveries; left.length > 0; ) {
    const values = left.map(({ name, email }) => ({ member: { display_name: name, email } }));
    const request = { content: { subject, text, html }, values };
    const filled = await tasks
      .run(organisationId, "fillTemplates", request, { isBackground: true })
      .catch((error: unknown) => {
        // Its thread was ended: it would be for the next recipient, too.
        if (error instanceof TemplateError) return left.map(() => undefined);
        throw error;
      });
    for (const [index, content] of filled.entries()) {
      const delivery = left[index];
      if (delivery) yield { delivery, content };
    }
    left = left.slice(filled.length);
  }
}
