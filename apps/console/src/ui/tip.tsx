import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";

/** Shows a text when its child is hovered or focused. The text also describes the child to screen readers. */
export function Tip({ text, children }: { text: string; children: ReactElement<Record<string, unknown>> }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} aria-description={text} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6}>
          <Tooltip.Popup className="tooltip">{text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
