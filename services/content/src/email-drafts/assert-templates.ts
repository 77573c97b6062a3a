import { assertNone } from "@aiplatform/service-host";
import type { TaskOptions } from "@aiplatform/worker-pool";
import type { DraftContent } from "./email-draft.ts";
import type { TemplateTasks } from "./render-templates.ts";
import { TemplateError } from "./templates.ts";

/** @throws InvalidFieldsError, which has every template that cannot be filled in, and QueueFullError */
export async function assertTemplates(
  { tasks }: { tasks: TemplateTasks },
  organisationId: string,
  { subject, text, html }: Pick<DraftContent, "subject" | "text" | "html">,
  options?: TaskOptions,
): Promise<void> {
  const nothing = { subject: "", text: "", html: "" };
  const found = Object.entries({ subject, text, html }).map(async ([field, template]) => {
    if (template === "") return [];
    try {
      return await tasks.run(organisationId, "templateViolations", { ...nothing, [field]: template }, options);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return [{ field, description: error.message, reason: "TEMPLATE_INVALID" }];
    }
  });
  assertNone((await Promise.all(found)).flat());
}
