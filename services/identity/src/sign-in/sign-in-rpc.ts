import { SignInService } from "@aiplatform/contract/aiplatform/identity/v1/sign_in";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityDependencies } from "../dependencies.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import type { SignInReport } from "./sign-in-report.ts";
import { startSignIn } from "./start-sign-in.ts";

export function signInRoutes(
  router: ConnectRouter,
  dependencies: IdentityDependencies & { report: SignInReport },
): void {
  router.service(SignInService, {
    listSignInProviders() {
      return { providers: [...dependencies.signInProviders.values()].map(({ id, name }) => ({ id, name })) };
    },
    async startSignIn({ provider, to, cookie }) {
      return { page: await startSignIn(dependencies, { provider, to, cookie }) };
    },
    async completeSignIn({ provider, code, state, iss, error, cookie, userAgent }) {
      return { page: await completeSignIn(dependencies, { provider, code, state, iss, error, cookie, userAgent }) };
    },
  });
}
