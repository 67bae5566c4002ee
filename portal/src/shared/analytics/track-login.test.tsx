import type { Credentials } from '@pointgate/contract/credentials.ts';
import { eventParams } from '@pointgate/contract/log-events.ts';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { givenPasskeyDevice, requestOptions } from '../../../test/passkey-device.ts';
import { givenShop, open, player, refused, siteConfig } from '../../../test/shop.tsx';
import { useSignIn } from '../../entities/credentials/use-sign-in.ts';
import { rememberStart } from '../../entities/session/started-sign-in.ts';
import { takeTicket } from '../../entities/session/ticket.ts';
import { ApiError, unexplained } from '../api/api-error.ts';
import { subscribe, type TrackedEvent } from './track.ts';
import { trackLogin } from './track-login.ts';

const { publicKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
const { x, y } = await exportJWK(publicKey);
const keys = { keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: 'key-1' }], ts: 1_800_000_000 };
const password = 'pa55word!';
const returned = { code: 'a-code-of-theirs', state: 'state-of-sixteen-signs' };
const phone = '+8613800138000';

let told: TrackedEvent[] = [];
let stop = () => {};

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  told = [];
  stop = subscribe((event) => told.push(event));
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-AT');
});
afterEach(() => {
  cleanup();
  stop();
  takeTicket();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The sign-in events reported, parsed with the schema of the contract. */
const results = () =>
  told
    .filter(({ n }) => n === 'web_payment_login_result')
    .map(({ p }) => eventParams.web_payment_login_result.parse(p));

const givenVisitor = (other: Parameters<typeof givenShop>[0] = {}) =>
  givenShop({ '/api/user/info': { login: false }, '/api/user/keys': keys, ...other });

/** Signs in with any credentials, without their form. */
function SignIn({ credentials }: { credentials: Credentials }) {
  const { mutate } = useSignIn('form');
  return (
    <button type="button" onClick={() => mutate(credentials)}>
      Send
    </button>
  );
}

const result = (type: string, outcome: string, page = '/login') => ({
  page,
  type,
  region: 'AT',
  result: outcome,
});

describe('[S7.40] sign-in results', () => {
  const tries: Credentials[] = [
    { method: 'LOGIN_NAME_PASSWD_AUTH', loginName: 'aveline', password },
    { method: 'EMAIL_PASSWORD_AUTH', email: 'aveline@example.com', password },
    { method: 'MOBILE_PASSWORD_AUTH', phone, password },
    { method: 'MOBILE_AUTH', phone, code: '123456' },
    { method: 'FACEBOOK_AUTH', ...returned },
    { method: 'GOOGLE_PLAY_GAMES_AUTH', ...returned },
    { method: 'WECHAT_AUTH', type: 'WeChat', ...returned },
  ];

  test.each(tries)(
    'a sign-in by $method reports to analytics the error code on failure and "success" on success',
    async (credentials) => {
      const answers = [refused('SignInThrottled'), player];
      givenVisitor({ '/api/user/login': () => answers.shift() ?? player });
      await open('/login', siteConfig, <SignIn credentials={credentials} />);
      await screen.findByRole('heading', { name: 'Sign in' });
      for (const outcome of ['SignInThrottled', 'success']) {
        fireEvent.click(screen.getByText('Send'));
        await waitFor(() => expect(results()).toContainEqual(result(credentials.method, outcome)));
      }
      expect(results()).toHaveLength(2);
      expect(JSON.stringify(told)).not.toMatch(/aveline|13800138000|pa55|123456|a-code|state-of/);
    },
  );

  test.each([
    ['false', 'AppleSignInAccountNotFound'],
    ['true', 'success'],
  ])(
    'an Apple sign-in that returns with appleId=%s reports %s to analytics',
    async (flag, outcome) => {
      givenVisitor();
      await open(`/login?appleId=${flag}`);
      await waitFor(() => expect(results()).toEqual([result('APPLE_SIGN_IN_AUTH', outcome)]));
    },
  );

  test.each([
    ['confirms', 'success'],
    ['cancels', 'NotAllowedError'],
  ] as const)(
    'a passkey sign-in that the player %s reports %s to analytics',
    async (behaviour, outcome) => {
      givenPasskeyDevice(behaviour);
      givenVisitor({
        '/api/user/passkey/login/start': { options: requestOptions },
        '/api/user/passkey/login/finish': player,
      });
      await open('/login');
      fireEvent.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
      await waitFor(() => expect(results()).toEqual([result('PASSKEY', outcome)]));
    },
  );

  test('a sign-in by ticket from a link reports success to analytics, on the page that the link opened', async () => {
    givenShop();
    window.pointgateTicket = 'tk_1';
    await open('/main/home');
    await screen.findAllByText(player.displayName);
    expect(results()).toEqual([result('ARRIVAL', 'success', '/main/home')]);
  });

  test('a refused sign-in ticket reports to analytics the error code and the dialog shown to the player', async () => {
    givenShop({ '/api/user/info': refused('ArrivalRefused') });
    window.pointgateTicket = 'tk_1';
    await open('/main/home');
    await screen.findByRole('dialog');
    expect(results()).toEqual([result('ARRIVAL', 'ArrivalRefused', '/main/home')]);
    expect(told).toContainEqual(
      expect.objectContaining({ p: { page: '/main/home', pop: 'ticket-refused' } }),
    );
  });

  test('a page load without a sign-in ticket reports no sign-in to analytics', async () => {
    givenShop();
    await open('/main/home');
    await screen.findAllByText(player.displayName);
    expect(results()).toEqual([]);
  });

  test('a provider sign-in that fails to start reports the error code to analytics', async () => {
    givenVisitor({ '/api/user/login/start': refused('LoginMethodNotOffered') });
    await open('/login');
    fireEvent.click(await screen.findByRole('button', { name: 'Continue with Google' }));
    await waitFor(() =>
      expect(results()).toEqual([result('GOOGLE_PLAY_GAMES_AUTH', 'LoginMethodNotOffered')]),
    );
  });

  test('a provider callback with a foreign state reports StateMismatch to analytics in a tab that had started a sign-in', async () => {
    givenVisitor();
    rememberStart({ method: 'FACEBOOK_AUTH', state: 'another-state', back: '/main' });
    await open('/login/return?code=x&state=y');
    await screen.findByRole('alert');
    expect(results()).toEqual([result('FACEBOOK_AUTH', 'StateMismatch', '/login/return')]);
  });

  test('a WeChat callback with a foreign OAuth state reports StateMismatch to analytics', async () => {
    givenVisitor();
    await open('/login?code=x&state=y');
    await screen.findByText('WeChat login abnormal');
    expect(results()).toEqual([result('WECHAT_AUTH', 'StateMismatch')]);
  });
});

describe('sign-in event fields', () => {
  test.each([
    [new ApiError({ status: 200, code: 'InvalidPassword', message: 'pia' }), 'InvalidPassword'],
    [new ApiError({ status: 500, code: unexplained, message: 'pia' }), 'Unexplained'],
    [new ApiError({ status: 200, code: 'pia@example.com', message: '' }), 'Unexplained'],
    [new TypeError('pia'), 'TypeError'],
    [Object.assign(new Error('pia'), { name: 'pia@example.com' }), 'Unexplained'],
  ])(
    'a failed sign-in reports to analytics a known code or error name, never the message of %s',
    (error, word) => {
      trackLogin('PASSKEY', error);
      expect(results()).toMatchObject([{ result: word }]);
    },
  );

  test.each([
    ['en', ''],
    ['zh-Hans-CN', 'CN'],
    ['pt_BR', 'BR'],
    ['es-419', ''],
  ])('the browser language %s is reported to analytics as region "%s"', (language, region) => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue(language);
    trackLogin('ARRIVAL', 'success');
    expect(results()).toMatchObject([{ region }]);
  });
});
