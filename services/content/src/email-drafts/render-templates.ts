import type { TaskRunner } from "@aiplatform/worker-pool";
import type { DraftContent } from "./email-draft.ts";
import { type Rendered, TemplateError, Templates, type TemplateValues, type templateViolations } from "./templates.ts";

/** What worker threads compute for drafts. */
export type TemplateTasks = TaskRunner<{
  templateViolations: typeof templateViolations;
  fillTemplate: typeof fillTemplate;
  fillTemplates: typeof fillTemplates;
}>;

/** Templates of a draft, and whom they are filled in for. */
export interface FillRequest<V> {
  content: Pick<DraftContent, "subject" | "text" | "html">;
  values: V;
}

/** Milliseconds after which a batch ends: tasks of others wait for it. */
const batchMs = 50;
/** Characters after which a batch ends: all of it is in memory at once. */
const batchCharacters = 1_000_000;

/** @throws TemplateError */
export function fillTemplate({ content, values }: FillRequest<TemplateValues>): Rendered {
  return Templates.of(content).fill(values);
}

/**
 * Fills in a draft's templates for the first of those given, at least one; undefined where a template stands in the way. It ends
 * early where that takes long or makes much text.
 */
export function fillTemplates({ content, values }: FillRequest<readonly TemplateValues[]>): (Rendered | undefined)[] {
  const endsAt = performance.now() + batchMs;
  const templates = orUndefined(() => Templates.of(content));
  const filled: (Rendered | undefined)[] = [];
  let characters = 0;
  for (const each of values) {
    const rendered = templates && orUndefined(() => templates.fill(each));
    filled.push(rendered);
    characters += rendered ? rendered.subject.length + rendered.text.length + rendered.html.length : 0;
    if (performance.now() > endsAt || characters > batchCharacters) break;
  }
  return filled;
}

function orUndefined<R>(work: () => R): R | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}
