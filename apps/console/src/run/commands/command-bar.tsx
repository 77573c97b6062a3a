import {
  CirclePause,
  CirclePlay,
  FlagTriangleRight,
  History,
  type LucideIcon,
  OctagonX,
  RotateCcw,
  SlidersHorizontal,
} from "lucide-react";
import { memo, useState } from "react";
import type { CommandAction, Job, JobAddress } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { CommandDialog } from "./command-dialog.tsx";
import { type CommandRule, commandObjection, commandRules } from "./command-rules.ts";
import type { OwnLease } from "./lease-token.ts";

const icons: Readonly<Record<CommandAction, LucideIcon>> = {
  pause: CirclePause,
  resume: CirclePlay,
  continue: SlidersHorizontal,
  rollback: History,
  warm_restart: RotateCcw,
  finish_from_checkpoint: FlagTriangleRight,
  abort: OctagonX,
};

interface CommandBarProps {
  address: JobAddress;
  job: Job;
  state: string;
  lease: OwnLease | undefined;
}

/** A button for each command; one that the job would not take now says why. */
export const CommandBar = memo(function CommandBar({ address, job, state, lease }: CommandBarProps) {
  const [chosen, setChosen] = useState<CommandRule>();
  const forbidden = useForbidden("training:command");
  return (
    <div className="command-bar" role="toolbar" aria-label="Commands">
      {commandRules.map((rule) => {
        const Icon = icons[rule.action];
        return (
          <Button
            key={rule.action}
            forbidden={forbidden ?? commandObjection(rule, state)}
            onClick={() => setChosen(rule)}
          >
            <Icon size={15} aria-hidden="true" />
            {rule.label}
          </Button>
        );
      })}
      {chosen && (
        <CommandDialog address={address} job={job} rule={chosen} lease={lease} onClose={() => setChosen(undefined)} />
      )}
    </div>
  );
});
