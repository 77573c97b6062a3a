import { deleteSome, type ErrorText, operator, retry } from "../error-text.ts";

/** Reasons of dictionaries, automations, drafts and features. */
export const contentCodes: Readonly<Record<string, ErrorText>> = {
  dataset_in_use: {
    meaning: "Published automations or deployments use the dataset; `detail` names them.",
    remedy: "Delete them, or publish and roll out versions without the dataset.",
  },
  deployments_unavailable: {
    meaning:
      "Deployments does not answer, which knows what uses the dataset, or how the artifact is. Nothing was changed.",
    remedy: retry,
  },
  assets_unavailable: {
    meaning: "Whether the asset exists is not known at the moment. Nothing was changed.",
    remedy: retry,
  },
  dataset_limit: { meaning: "The organisation has as many datasets as it may have.", remedy: deleteSome },
  dictionary_limit: { meaning: "The dictionary would hold too much.", remedy: "Delete or shorten entries." },
  text_of_a_person: {
    meaning: "A program would delete what a person wrote.",
    remedy: "Add `override=true` if that is intended.",
  },
  automation_limit: { meaning: "The organisation has 10,000 automations.", remedy: deleteSome },
  automation_run_limit: { meaning: "Too many automation runs are under way.", remedy: "Wait, or cancel some." },
  automation_disabled: {
    meaning: "The automation is disabled.",
    remedy: "Read `disabled_reason`, correct the cause, then enable it in its settings.",
  },
  nothing_published: { meaning: "The automation has no published version.", remedy: "Publish one." },
  draft_missing: { meaning: "The automation has no draft.", remedy: "Save a draft before publishing." },
  delegation_missing: { meaning: "The published version has no delegation.", remedy: "Publish it again." },
  features_unavailable: {
    meaning: "The version uses features that are missing or deprecated; `detail` names them.",
    remedy: "Restore them, or use others.",
  },
  email_draft_sending: { meaning: "The draft is being sent.", remedy: "Follow `progress`; call again after its end." },
  email_draft_sent: { meaning: "The draft was sent and cannot be changed.", remedy: "Make a new draft." },
  no_recipients: { meaning: "The draft has no recipients.", remedy: "Add some." },
  template_failed: {
    meaning: "A template cannot be filled in for this member.",
    remedy: "Correct the template at the place that `detail` names.",
  },
  mail_server_unavailable: { meaning: "No mail server can be reached. Nothing was sent.", remedy: operator },
  feature_limit: { meaning: "The organisation has 10,000 features.", remedy: deleteSome },
  feature_deprecated: { meaning: "The feature is deprecated.", remedy: "Use the replacement that `detail` names." },
};
