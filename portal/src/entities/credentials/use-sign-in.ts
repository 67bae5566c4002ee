import { login, type SignedIn } from '@pointgate/contract/accounts.ts';
import type { Credentials } from '@pointgate/contract/credentials.ts';
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trackLogin } from '../../shared/analytics/track-login.ts';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { showToast } from '../../shared/ui/toast.tsx';
import { startSession } from '../session/session.ts';
import { type RememberedMethod, rememberMethod } from './last-method.ts';
import { seal } from './seal.ts';
import { withHumanProof } from './with-human-proof.ts';

const returnKey = ['sign-in', 'return'];

/** Signs in with any credentials and updates the session of the pages. */
export function useSignIn(origin: 'form' | 'return') {
  const welcome = useWelcome();
  const [isProving, setIsProving] = useState(false);
  const signIn = useAction({
    mutationKey: origin === 'return' ? returnKey : ['sign-in', 'form'],
    // Encrypted again for each attempt, because the server accepts an encrypted body only once.
    mutationFn: (credentials: Credentials): Promise<SignedIn> =>
      withHumanProof(
        async (proof) => await call(login, { ...(await seal(credentials, login)), proof }),
        () => setIsProving(true),
      ),
    onSuccess: (session, { method }) => welcome(session, method),
    onError: (error, { method }) => trackLogin(method, error),
    onSettled: () => setIsProving(false),
  });
  return { ...signIn, isProving };
}

/** The steps after a successful sign-in by any method. */
export function useWelcome() {
  const queryClient = useQueryClient();
  return (session: SignedIn, method: RememberedMethod) => {
    trackLogin(method, 'success');
    rememberMethod(method);
    showToast((t) => t('login.successful'));
    startSession(queryClient, session);
  };
}

/** Whether a provider callback is being verified by the server. */
export function useIsReturning(): boolean {
  return useIsMutating({ mutationKey: returnKey }) > 0;
}
