import { Button as BaseButton } from "@base-ui/react/button";
import type { ComponentProps, ReactNode } from "react";
import { Tip } from "./tip.tsx";

interface ButtonProps extends Omit<ComponentProps<typeof BaseButton>, "className" | "disabled"> {
  kind?: "primary" | "danger" | "quiet";
  size?: "small";
  /** For a button that shows an icon alone: its name, which is also its tooltip. */
  label?: string;
  /** Why it cannot be used now. The button stays focusable, so that everyone can read the reason. */
  forbidden?: string | undefined;
  /** Whether its work is under way. */
  isPending?: boolean;
  children?: ReactNode;
}

/** A button; one that is forbidden says why. */
export function Button({ kind, size, label, forbidden, isPending = false, children, ...rest }: ButtonProps) {
  const button = (
    <BaseButton
      {...rest}
      className="button"
      data-kind={kind}
      data-size={size}
      data-icon={label === undefined ? undefined : ""}
      aria-label={label}
      aria-busy={isPending || undefined}
      disabled={forbidden !== undefined || isPending}
      focusableWhenDisabled
    >
      {isPending && <span className="spinner" aria-hidden="true" />}
      {children}
    </BaseButton>
  );
  const text = forbidden ?? label;
  return text === undefined ? button : <Tip text={text}>{button}</Tip>;
}
