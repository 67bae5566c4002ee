import { login, type SignedIn } from '@pointgate/contract/accounts.ts';
import type { Credentials } from '@pointgate/contract/credentials.ts';
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trackLogin } from '../analytics/track-login.ts';
import { call } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { startSession } from '../session/session.ts';
import { showToast } from '../ui/toast.tsx';
import { type RememberedMethod, rememberMethod } from './methods.ts';
import { seal } from './seal.ts';
import { withHumanProof } from './with-human-proof.ts';

const returnKey = ['sign-in', 'return'];

/** Signs in with whatever the player has. From then on the pages see who it is. */
export function useSignIn(origin: 'form' | 'return') {
  const welcome = useWelcome();
  const [isProving, setIsProving] = useState(false);
  const signIn = useAction({
    mutationKey: origin === 'return' ? returnKey : ['sign-in', 'form'],
    // Sealed anew for the second call: what was sealed may have been used up.
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

/** What follows on every way in. */
export function useWelcome() {
  const queryClient = useQueryClient();
  return (session: SignedIn, method: RememberedMethod) => {
    trackLogin(method, 'success');
    rememberMethod(method);
    showToast((t) => t('login.successful'));
    startSession(queryClient, session);
  };
}

/** Somebody has just come back from a provider, and the shop is being asked about it. */
export function useIsReturning(): boolean {
  return useIsMutating({ mutationKey: returnKey }) > 0;
}
