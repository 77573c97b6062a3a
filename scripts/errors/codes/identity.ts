import { deleteSome, type ErrorText, operator } from "../error-text.ts";
import { sharedTexts } from "../shared-texts.ts";

/** Reasons of organisations, their members, assets and linked accounts. */
export const identityCodes: Readonly<Record<string, ErrorText>> = {
  // Organisations, members, roles, keys
  slug_taken: { meaning: "The slug is taken.", remedy: "Use another slug." },
  slug_like_id: sharedTexts.slug_like_id,
  slug_not_confirmed: sharedTexts.slug_not_confirmed,
  member_taken: { meaning: "The address or the subject belongs to another member.", remedy: "Use that member." },
  subject_incomplete: {
    meaning: "Only one of issuer and subject was sent.",
    remedy: "Send both, or neither for an invitation.",
  },
  last_administrator: {
    meaning: "No active administrator would be left.",
    remedy: "Make another member administrator first.",
  },
  caller_is_no_member: { meaning: "An API key that acts for itself is no member.", remedy: "Use a member's token." },
  role_is_system: { meaning: "A role of the system cannot be changed.", remedy: "Create a role of your own." },
  role_in_use: { meaning: "A member holds the role.", remedy: "Take the role from its members first." },
  role_limit: { meaning: "The organisation has 1,000 roles.", remedy: deleteSome },
  api_key_expired: { meaning: "The key to rotate has expired.", remedy: "Make a new key." },
  api_key_revoked: { meaning: "The key to rotate was revoked.", remedy: "Make a new key." },
  api_key_rotated: { meaning: "The key was rotated before.", remedy: "Rotate the key that replaced it." },
  delegation_taken: { meaning: "The id belongs to another delegation.", remedy: "Use a new id." },
  delegations_off: {
    meaning: "The installation has no `DELEGATION_SECRET`, so steps cannot act and triggers cannot read for a member.",
    remedy: "The operator [sets it](operations/install.md#what-automations-need).",
  },
  caller_is_delegated: {
    meaning: "A delegated caller or a notebook cannot delegate.",
    remedy: "Publish as a member or with an API key.",
  },
  credential_opens_no_session: {
    meaning:
      "The operator's key, a delegation and a notebook open no session, and a session opens another only in another organisation.",
    remedy: "Show an API key, an access token or a sign-in code.",
  },
  sessions_off: {
    meaning: "The installation has no `PUBLIC_URL`, or one that is neither https nor http on this machine.",
    remedy: "The operator sets `PUBLIC_URL` of identity and the gateway.",
  },
  sign_in_codes_off: {
    meaning: "One-time sign-in codes are made only where browsers reach the platform on this machine.",
    remedy: "Sign in with an API key.",
  },
  return_path_invalid: sharedTexts.return_path_invalid,

  // Workspaces and assets
  asset_owned: { meaning: "A service of the platform manages the asset.", remedy: "Change it in that service." },
  asset_limit: { meaning: "The organisation has as many assets as it may have.", remedy: deleteSome },
  workspace_limit: { meaning: "The organisation has as many workspaces as it may have.", remedy: deleteSome },
  workspaces_disabled: {
    meaning: "Workspaces are not enabled.",
    remedy: "[Accept a proposal](api/workspaces.md), which may be empty.",
  },

  // Linked accounts and notebooks
  secret_name_linked: { meaning: "The name is linked.", remedy: "Add `relink=true`, or use another name." },
  link_changed: { meaning: "The link changed at the same time.", remedy: "Read it again, then decide again." },
  provider_unavailable: { meaning: "The account platform does not answer.", remedy: "Try again later." },
  provider_timeout: { meaning: "The account platform takes too long.", remedy: "Try again later." },
  notebook_hub_unavailable: { meaning: "The JupyterHub does not answer.", remedy: operator },
  notebook_hub_timeout: { meaning: "The JupyterHub takes too long.", remedy: operator },
};
