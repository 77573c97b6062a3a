import type { ErrorText } from "../error-text.ts";

/** Reasons of pipelines, runs and jobs. */
export const trainingCodes: Readonly<Record<string, ErrorText>> = {
  checkpoint_elsewhere: {
    meaning: "The checkpoint is not in the platform's artifact store, so that only its trainer can read it.",
    remedy: "Have the trainer upload its checkpoints and name them as `artifact:sha256:<digest>`.",
  },
  checkpoint_pruned: { meaning: "The checkpoint was pruned.", remedy: "Name another checkpoint." },
  lease_held: {
    meaning: "Another supervision lease is live.",
    remedy:
      "Wait until it ends: `GET supervisions/current` says when. Members with `training:override` can take it over with `take_over`.",
  },
  lease_lost: { meaning: "The lease has ended, or the token is not its own.", remedy: "Acquire a new lease." },
  command_resolved: {
    meaning: "(trainer) The command was decided before.",
    remedy: "Do not act on it; undo what was done.",
  },
  command_out_of_order: {
    meaning: "(trainer) A command of lower sequence is not acknowledged.",
    remedy: "Acknowledge commands in their order.",
  },
  report_out_of_order: {
    meaning: "(trainer) A report of a higher counter was stored first, and this one was not.",
    remedy: "Send its points again with a counter above that, one report after the other.",
  },
  experiment_exists: {
    meaning: "(MLflow) There is an experiment of that name, or a deleted one.",
    remedy: "Use it, choose another name, or restore the deleted one.",
  },
  pipeline_active: {
    meaning:
      "Jobs of the pipeline's runs are active: a trainer has taken them, and they are not at their end. `detail` names some.",
    remedy: "Abort them, or wait for their end. A dry run of the deletion lists them.",
  },
  run_active: {
    meaning:
      "Jobs of the run are active: a trainer has taken them, and they are not at their end. `detail` names some.",
    remedy: "Abort them, or wait for their end.",
  },
  run_archived: {
    meaning: "The run is archived: no trainer takes its jobs.",
    remedy: "Restore it with `POST /platform/pipelines/{pipeline_id}/runs/{run_id}/restore`.",
  },
  pipeline_archived: {
    meaning: "The pipeline is archived: it takes no new runs, and no trainer takes a job of its runs.",
    remedy: "Restore it with `POST /platform/pipelines/{pipeline_id}/restore`.",
  },
  attachment_lost: { meaning: "(trainer) Another process is the job's trainer.", remedy: "Stop, and save nothing." },
  illegal_move: {
    meaning: "(trainer) A job cannot move between these states.",
    remedy: "Report the states in their order.",
  },
};
