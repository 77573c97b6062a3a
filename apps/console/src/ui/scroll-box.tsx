import type { ComponentProps } from "react";

interface ScrollBoxProps extends Omit<ComponentProps<"div">, "tabIndex"> {
  role: "group" | "log";
  /** Its name for screen readers. */
  "aria-label": string;
}

/** A box that scrolls. It takes the focus, so that it scrolls by keyboard too. */
export function ScrollBox(props: ScrollBoxProps) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
  return <div {...props} tabIndex={0} />;
}

/** A value as JSON, indented. */
export function JsonBox({ label, value }: { label: string; value: unknown }) {
  return (
    <ScrollBox role="group" aria-label={label} className="json">
      <pre>{JSON.stringify(value, undefined, 2)}</pre>
    </ScrollBox>
  );
}
