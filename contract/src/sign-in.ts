import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { pages } from './pages.ts';
import { providerMethods } from './sign-in-providers.ts';

export const ProviderMethod = z.enum(providerMethods);

/** The path of the page to which most providers redirect players. */
export const signInReturnPath = pages.common.signInReturn.path;

export const startSignIn = endpoint({
  method: 'POST',
  path: '/api/user/login/start',
  summary:
    'Begins a sign-in with an account elsewhere: the page to go to, and the state it returns',
  access: 'public',
  body: z.strictObject({
    method: ProviderMethod,
    /** A path of this site to return to; anything else counts as the root. */
    redirect: z.string().check(z.maxLength(2048)),
    /** Whether the page is shown inside WeChat, which has its own sign-in. */
    inWechat: z._default(z.boolean(), false),
  }),
  reply: z.strictObject({ url: z.url(), state: z.string() }),
  refusals: ['ForeignOrigin', 'LoginMethodNotOffered', 'SignInThrottled'],
});

export const wechatOpenId = endpoint({
  method: 'POST',
  path: '/api/user/wechat/info/get',
  summary: 'Trades the code of the WeChat in-app browser for the open id of this session',
  access: 'player',
  body: z.strictObject({ code: z.string().check(z.minLength(1), z.maxLength(512)) }),
  reply: z.strictObject({ openId: z.string() }),
  refusals: ['AuthFail', 'LoginMethodNotOffered', 'SignInThrottled'],
});
