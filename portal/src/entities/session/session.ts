import { type SignedIn, userInfo } from '@pointgate/contract/accounts.ts';
import { OtherAccount } from '@pointgate/contract/arrivals.ts';
import { type Query, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { trackLogin } from '../../shared/analytics/track-login.ts';
import { ApiError, unexplained } from '../../shared/api/api-error.ts';
import { call, identifyCaller } from '../../shared/api/client.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { pointBalanceQuery } from './point-balance.ts';
import {
  askToSwitch,
  putTicketBack,
  takeTicket,
  tellTicketRefused,
  ticketHeaders,
} from './ticket.ts';

type Session = SignedIn | { login: false };

const signedOut: Session = { login: false };

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session> => {
    try {
      return rememberCaller(await askWhoThisIs());
    } catch (error) {
      // The `expired` event informs the player; the pages treat the player as a visitor.
      if (error instanceof ApiError && error.status === 203) return rememberCaller(signedOut);
      throw error;
    }
  },
  // Changes only by signing in or out; an expiry is reported as a 203 to the next call.
  staleTime: Number.POSITIVE_INFINITY,
});

/** The first call of a visit carries the ticket, if there is one. */
async function askWhoThisIs(): Promise<Session> {
  const ticket = takeTicket();
  if (ticket === null) return await call(userInfo, {});
  try {
    const session = await call(userInfo, {}, ticketHeaders(ticket));
    if (session.login) trackLogin('ARRIVAL', 'success');
    return session;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    trackLogin('ARRIVAL', error);
    if (error.code === unexplained) putTicketBack(ticket);
    if (error.code === 'OtherAccount') {
      askToSwitch({ ticket, ...OtherAccount.parse(error.data) });
      return await call(userInfo, {});
    }
    if (!tellTicketRefused(error.code)) throw error;
    // A visitor, even if this browser has a session: the link may belong to another account, and
    // continuing silently would top up the wrong one.
    return signedOut;
  }
}

export interface UserState {
  login: boolean;
  /** False until user/info has been answered. */
  isInit: boolean;
  accountId: string | null;
  gameAccountId: string | null;
  gameId: string | null;
  userId: string | null;
  displayName: string | null;
  /** The sum of bought and bonus E Points; `null` until the balance is loaded. */
  ePointNum: number | null;
}

/** The user as far as known. Does not suspend, so that the layout of a page shows at once. */
export function useUser(): UserState {
  const { gameId } = useSiteConfig().gameInfo;
  const { data, isError } = useQuery(sessionQuery);
  const player = data?.login ? data : null;
  const gameAccountId = player?.gameAccountId ?? null;
  const { data: balance } = useQuery(pointBalanceQuery(gameAccountId));
  return {
    login: player !== null,
    isInit: data !== undefined || isError,
    accountId: player?.accountId ?? null,
    gameAccountId,
    gameId,
    userId: player?.userId ?? null,
    displayName: player?.displayName ?? null,
    ePointNum: balance?.total ?? null,
  };
}

const isOfPlayer = ({ queryKey }: Pick<Query, 'queryKey'>) => queryKey[0] !== 'session';

/** Starts a session and removes all cached data of a previous player. */
export function startSession(queryClient: QueryClient, session: SignedIn): void {
  queryClient.removeQueries({ predicate: isOfPlayer });
  queryClient.setQueryData(sessionQuery.queryKey, rememberCaller(session));
}

export function endSession(queryClient: QueryClient): void {
  queryClient.setQueryData(sessionQuery.queryKey, rememberCaller(signedOut));
}

/** Removes cached data that no page shows, so that the next user cannot see it. */
export function forgetShown(queryClient: QueryClient): void {
  queryClient.removeQueries({ type: 'inactive', predicate: isOfPlayer });
}

/** Sets the caller headers of the API client, and returns the session unchanged. */
function rememberCaller(session: Session): Session {
  identifyCaller({
    accountId: session.login ? session.accountId : '',
    userId: session.login ? session.userId : '',
  });
  return session;
}
