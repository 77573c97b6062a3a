import { Tabs as BaseTabs } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

interface TabsProps<Name extends string> {
  tabs: readonly { name: Name; label: string }[];
  /** The one that is shown; the address has it. */
  value: Name;
  onChange: (name: Name) => void;
  /** What the chosen tab shows. */
  children: ReactNode;
}

/** The parts of a page, one at a time. */
export function Tabs<Name extends string>({ tabs, value, onChange, children }: TabsProps<Name>) {
  return (
    <BaseTabs.Root className="stack" value={value} onValueChange={onChange}>
      <BaseTabs.List className="tabs-list">
        {tabs.map(({ name, label }) => (
          <BaseTabs.Tab key={name} value={name} className="tab">
            {label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      <BaseTabs.Panel value={value} className="stack">
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  );
}
