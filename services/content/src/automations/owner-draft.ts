import type { EmailDraft } from "../email-drafts/email-draft.ts";

/** An automation whose owner is notified. */
export interface OwnedAutomation {
  id: string;
  name: string;
  ownerMemberId: string;
  /** Whether its owner is notified by an e-mail draft besides the event. */
  draftsForOwner: boolean;
}

export interface Deprecation {
  featureKey: string;
  /** Undefined: no replacement was named. */
  replacementKey: string | undefined;
}

/** Automations that a draft names; the others are counted. */
const maxNamed = 10;
/** Characters of a name at most; longer names are cut. */
const maxNameLength = 100;

/** What a draft says to the owner of automations that use a deprecated feature, as templates. */
export function ownerDraft(
  { featureKey, replacementKey }: Deprecation,
  automations: readonly Pick<OwnedAutomation, "name">[],
): Pick<EmailDraft, "subject" | "text" | "html"> {
  const named = automations.slice(0, maxNamed).map(({ name }) => `- ${literal(name)}`);
  const left = automations.length - named.length;
  const instead =
    replacementKey === undefined
      ? "The owner has not named a replacement."
      : `Use the feature ${literal(replacementKey)} instead.`;
  const lines = [
    "Dear {{ member.display_name }},",
    "",
    `the feature ${literal(featureKey)} is deprecated. These automations of yours use it:`,
    "",
    ...named,
    ...(left > 0 ? [`- and ${left} more`] : []),
    "",
    instead,
  ];
  return { subject: `The feature ${literal(featureKey)} is deprecated`, text: lines.join("\n"), html: "" };
}

/** A text as it is, on one line: nothing in it is read as a template. */
function literal(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  const cut = line.length > maxNameLength ? `${line.slice(0, maxNameLength - 1)}…` : line;
  return cut.replaceAll("{", '{{ "{" }}');
}
