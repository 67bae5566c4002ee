import { useSuspenseQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from 'react-router';
import { loginAddress } from './redirect.ts';
import { sessionQuery } from './session.ts';

/** Shows the nested pages only to a signed-in player; redirects visitors to sign-in. */
export function RequireLogin() {
  const location = useLocation();
  const { login } = useSuspenseQuery(sessionQuery).data;
  return login ? <Outlet /> : <Navigate to={loginAddress(location)} replace />;
}
