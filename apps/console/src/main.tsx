import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/components.css";
import "./shell/shell.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Toast } from "@base-ui/react/toast";
import { Tooltip } from "@base-ui/react/tooltip";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/query-client.ts";
import { createConsoleRouter } from "./router.tsx";
import { applyTheme, readTheme } from "./shell/theme.ts";
import { Toasts } from "./ui/toasts.tsx";

applyTheme(readTheme());
const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root");
createRoot(root).render(
  <StrictMode>
    {/* The policy allows no style elements: all styles are in files. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delay={300}>
          <Toast.Provider>
            <RouterProvider router={createConsoleRouter()} />
            <Toasts />
          </Toast.Provider>
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
