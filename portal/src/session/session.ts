import { type SignedIn, userInfo } from '@pointgate/contract/accounts.ts';
import { OtherAccount } from '@pointgate/contract/arrivals.ts';
import { type Query, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { trackLogin } from '../analytics/track-login.ts';
import { ApiError, unexplained } from '../api/api-error.ts';
import { call, identifyCaller } from '../api/client.ts';
import { useSiteConfig } from '../config/site-config.tsx';
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
      // The player is told by the `expired` event; for the pages it is a visitor like any other.
      if (error instanceof ApiError && error.status === 203) return rememberCaller(signedOut);
      throw error;
    }
  },
  // Only signing in and out change it; an end elsewhere shows as a 203 to the next call.
  staleTime: Number.POSITIVE_INFINITY,
});

/** The first call of a visit brings the ticket along, if the player came with one. */
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
    // A visitor, even where somebody is signed in in this browser: the link may have been meant for
    // another account, and going on silently would top up the wrong one.
    return signedOut;
  }
}

export interface UserState {
  login: boolean;
  /** False until the server has said who this is. */
  isInit: boolean;
  accountId: string | null;
  gameAccountId: string | null;
  gameId: string | null;
  userId: string | null;
  displayName: string | null;
  /** Bought and given E Points together; `null` until the shop has said how many. */
  ePointNum: number | null;
}

/** Who this is, as far as known: does not suspend, so that the frame of a page can show at once. */
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

/** Makes this the session from now on. Nothing that another player was shown stays behind. */
export function startSession(queryClient: QueryClient, session: SignedIn): void {
  queryClient.removeQueries({ predicate: isOfPlayer });
  queryClient.setQueryData(sessionQuery.queryKey, rememberCaller(session));
}

export function endSession(queryClient: QueryClient): void {
  queryClient.setQueryData(sessionQuery.queryKey, rememberCaller(signedOut));
}

/** Forgets what no page shows any more: whoever sits here next has no business with it. */
export function forgetShown(queryClient: QueryClient): void {
  queryClient.removeQueries({ type: 'inactive', predicate: isOfPlayer });
}

/** Tells the client who calls, and returns the session as it is. */
function rememberCaller(session: Session): Session {
  identifyCaller({
    accountId: session.login ? session.accountId : '',
    userId: session.login ? session.userId : '',
  });
  return session;
}
