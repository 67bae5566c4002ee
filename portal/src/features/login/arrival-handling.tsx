import { signInReturnPath, wechatOpenId } from '@pointgate/contract/sign-in.ts';
import { useEffect, useRef } from 'react';
import { useSignIn } from '../../entities/credentials/use-sign-in.ts';
import { type Arrival, takeArrival } from '../../entities/session/arrival.ts';
import { useUser } from '../../entities/session/session.ts';
import { takeStart } from '../../entities/session/started-sign-in.ts';
import {
  markAsked,
  mayAskForOpenId,
  openIdAddress,
  redirectDelayMs,
  rememberOpenId,
} from '../../entities/session/wechat.ts';
import { trackLogin } from '../../shared/analytics/track-login.ts';
import { call } from '../../shared/api/client.ts';
import { currentEnvironment } from '../../shared/browser/environment.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { errorText } from '../../shared/i18n/error-text.ts';
import { showToast } from '../../shared/ui/toast.tsx';
import { returnedCredentials } from './returned.ts';

interface ArrivalHandlingProps {
  leaveFor?: (url: string) => void;
}

/** Handles the parameters of an arrival, on any page. Renders nothing. */
export function ArrivalHandling({ leaveFor }: ArrivalHandlingProps) {
  const openIdCode = useRef<string | null>(null);
  useArrival((code) => {
    openIdCode.current = code;
  });
  useOpenId(openIdCode, leaveFor ?? ((url) => window.location.assign(url)));
  return null;
}

function useArrival(keepOpenIdCode: (code: string) => void): void {
  const { isInit } = useUser();
  const { mutate } = useSignIn('return');

  const act = ({ appleId, code, state }: Arrival) => {
    // The parameter only selects a message: the session alone decides who is signed in.
    if (appleId === 'false') {
      trackLogin('APPLE_SIGN_IN_AUTH', 'AppleSignInAccountNotFound');
      showToast((t) => t('errors.AppleSignInAccountNotFound'), 'warn');
    } else if (appleId !== null) {
      trackLogin('APPLE_SIGN_IN_AUTH', 'success');
      showToast((t) => t('login.successful'));
    }

    if (code !== null && state === null) keepOpenIdCode(code);
    if (code === null || state === null) return;
    const started = takeStart();
    const credentials = returnedCredentials({ path: '', appleId, code, state }, started);
    if (credentials?.method !== 'WECHAT_AUTH') {
      trackLogin('WECHAT_AUTH', 'StateMismatch');
      return showToast((t) => t('login.wechatAbnormal'), 'bad');
    }
    mutate(credentials, {
      onError: (error) => showToast((t) => `${t('login.failed')}: ${errorText(t, error)}`, 'bad'),
    });
  };
  const latestAct = useRef(act);
  latestAct.current = act;

  useEffect(() => {
    // Only after the session is known: its response must not overwrite the new login.
    const arrival = isInit ? takeArrival(({ path }) => path !== signInReturnPath) : null;
    if (arrival !== null) latestAct.current(arrival);
  }, [isInit]);
}

/** WeChat Pay needs the open id of the payer, which the server stores with the session. */
function useOpenId(code: { current: string | null }, leaveFor: (url: string) => void): void {
  const { login } = useUser();
  const { wechatAppId } = useSiteConfig().gameInfo.customConfig;
  const leave = useRef(leaveFor);

  useEffect(() => {
    if (!login || wechatAppId === null || currentEnvironment().host !== 'wechat') return;
    const appId = wechatAppId;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;

    const ask = () => {
      if (isOver || !mayAskForOpenId()) return;
      timer = setTimeout(() => {
        if (markAsked()) leave.current(openIdAddress({ appId, here: window.location.href }));
      }, redirectDelayMs);
    };
    const brought = code.current;
    code.current = null;
    // A refused code is not shown as an error: another code is requested, once.
    if (brought === null) ask();
    else call(wechatOpenId, { code: brought }).then(({ openId }) => rememberOpenId(openId), ask);

    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [login, wechatAppId, code]);
}
