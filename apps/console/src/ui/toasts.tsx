import { Toast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Button } from "./button.tsx";

/** Says in a corner how something went, and to screen readers. Bad news stays until it is closed. */
export function useToast() {
  const { add } = Toast.useToastManager();
  return {
    good: (title: string) => add({ title, type: "good" }),
    bad: (title: string) => add({ title, type: "bad", timeout: 0, priority: "high" }),
  };
}

/** Where toasts appear. */
export function Toasts() {
  const { toasts } = Toast.useToastManager();
  return (
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        {toasts.map((toast) => (
          <Toast.Root key={toast.id} toast={toast} className="toast">
            {toast.type === "bad" ? (
              <CircleAlert size={16} aria-hidden="true" />
            ) : (
              <CircleCheck size={16} aria-hidden="true" />
            )}
            <Toast.Title className="grow" render={<p />} />
            <Toast.Close render={<Button kind="quiet" size="small" label="Close" />}>
              <X size={13} aria-hidden="true" />
            </Toast.Close>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
