import type { FieldViolation } from "@aiplatform/service-host";
import type { Members } from "../json-object.ts";
import { deployKind, trainKind } from "./far-steps.ts";
import type { MemberRules } from "./step-members.ts";

/** What a step of one type needs: its JSON as written, and what its giver must be allowed. */
export interface StepKind {
  /** What may stand in the step's JSON besides `type`; what is not named here is left as it is and not used. */
  members: MemberRules;
  /** What no rule of a single member can say. The members keep the rules. */
  check?: (members: Members, field: string) => FieldViolation[];
  /** Permissions that the publisher of such a step gives to it, `resource:action`. Empty: it needs no delegation. */
  permissions: (members: Members) => readonly string[];
}

const nobodys = () => [];

/** Characters of an id, or of a template that makes one. */
const longestId = 255;

/** What steps can do, by their `type`. How each does it stands in `automation-runs/steps`. */
export const stepKinds = {
  /** Asks a language model. */
  prompt: {
    members: {
      text: { kind: "text", required: true, longest: 20_000 },
      model: { kind: "text", longest: 255 },
      max_tokens: { kind: "integer", min: 1, max: 100_000 },
    },
    permissions: nobodys,
  },
  /** Writes entries of a dataset's dictionary, as a program does: texts of people stay. */
  dictionary: {
    members: {
      dataset_id: { kind: "text", required: true, longest: longestId },
      entries: {
        kind: "objects",
        required: true,
        most: 500,
        members: {
          name: { kind: "text", required: true, longest: 255 },
          description: { kind: "text", longest: 10_000 },
        },
      },
    },
    permissions: () => ["dictionary:write"],
  },
  /** Writes an e-mail draft; people send it. */
  email: {
    members: {
      subject: { kind: "text", required: true, longest: 1_000, filling: "email" },
      text: { kind: "text", required: true, longest: 100_000, filling: "email" },
      html: { kind: "text", longest: 200_000, filling: "email_html" },
      recipient_member_ids: { kind: "texts", required: true, most: 1_000, longest: longestId },
    },
    permissions: () => ["emails:write"],
  },
  train: trainKind,
  deploy: deployKind,
} as const satisfies Readonly<Record<string, StepKind>>;

/** A word that stands as `type` of a step. */
export type StepType = keyof typeof stepKinds;

/** All of them. */
export const stepTypes: readonly string[] = Object.keys(stepKinds);

/** Whether there are steps of this type. */
export function isStepType(type: unknown): type is StepType {
  return typeof type === "string" && Object.hasOwn(stepKinds, type);
}

/** What is known of steps of this type. */
export function stepKind(type: StepType): StepKind {
  return stepKinds[type];
}
