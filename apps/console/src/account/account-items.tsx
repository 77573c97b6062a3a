import { Menu } from "@base-ui/react/menu";
import { Building2, MonitorSmartphone } from "lucide-react";
import type { Session } from "../api/session.ts";
import { useToast } from "../ui/toasts.tsx";
import { useSwitchOrganisation } from "./use-sessions.ts";

/** Items of the account menu: the organisations that the person can switch to, where there are several, and their sessions. */
export function AccountItems({ session, onSessions }: { session: Session; onSessions: () => void }) {
  return (
    <>
      {session.organisations.length > 1 && <Organisations session={session} />}
      <Menu.Item className="menu-item" onClick={onSessions}>
        <MonitorSmartphone size={15} aria-hidden="true" />
        Sessions
      </Menu.Item>
    </>
  );
}

function Organisations({ session: { organisation, organisations } }: { session: Session }) {
  const toast = useToast();
  const change = useSwitchOrganisation();
  const choose = (id: string) => {
    if (id === organisation?.id) return;
    change.mutate(id, { onError: ({ message }) => toast.bad(`You are still in ${organisation?.name}: ${message}`) });
  };
  return (
    <Menu.Group>
      <Menu.GroupLabel className="menu-label">Organisation</Menu.GroupLabel>
      <Menu.RadioGroup value={organisation?.id ?? ""} onValueChange={choose}>
        {organisations.map(({ id, name }) => (
          <Menu.RadioItem key={id} value={id} className="menu-item" closeOnClick>
            <Building2 size={15} aria-hidden="true" />
            <span className="grow">{name}</span>
            <Menu.RadioItemIndicator>✓</Menu.RadioItemIndicator>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Menu.Group>
  );
}
