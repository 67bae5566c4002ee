import type { FastifyInstance } from 'fastify';
import { bodyText } from '../platform/requests.ts';
import { type Answer, answerCall, findCode, issueCode, tradeCode } from './back-channel.ts';
import { choosePage, sorryPage } from './choose-page.ts';
import { findPerson, openIdOf } from './people.ts';
import { newSecret, type WechatKind, type World } from './world.ts';

// The authorization page of each kind of application, with the scopes that it accepts.
const pages: { path: string; kind: WechatKind; scopes: string[] }[] = [
  { path: '/wechat/connect/qrconnect', kind: 'website', scopes: ['snsapi_login'] },
  {
    path: '/wechat/connect/oauth2/authorize',
    kind: 'official_account',
    scopes: ['snsapi_base', 'snsapi_userinfo'],
  },
];

/** WeChat: the QR code page, the page inside the app, and the token endpoint. */
export function registerWechatRoutes(app: FastifyInstance, world: World): void {
  for (const { path, kind, scopes } of pages) {
    app.get(path, (request, reply) => {
      const query = queryOf(request.url);
      const appId = query.get('appid') ?? '';
      const returnAddress = query.get('redirect_uri') ?? '';
      const scope = query.get('scope') ?? '';
      reply.type('text/html; charset=utf-8');
      const client = world.clients.wechat[appId];
      if (client === undefined) return reply.send(sorryPage('AppID 参数错误'));
      if (!isRegisteredHost(world, returnAddress))
        return reply.send(sorryPage('redirect_uri 参数错误'));
      const isAllowed = client.kind === kind && scopes.includes(scope);
      if (!isAllowed || query.get('response_type') !== 'code') {
        return reply.send(sorryPage('Scope 参数错误或没有 Scope 权限'));
      }
      const state = query.get('state');
      const fields = {
        appid: appId,
        redirect_uri: returnAddress,
        scope,
        ...(state === null ? {} : { state }),
      };
      const hash = path.endsWith('/authorize') ? { neededHash: '#wechat_redirect' } : {};
      const page = { provider: 'WeChat', client: appId, action: path, fields, ...hash };
      return reply.send(choosePage(page));
    });
    app.post(path, (request, reply) => {
      const sent = new URLSearchParams(bodyText(request));
      const returnAddress = sent.get('redirect_uri') ?? '';
      if (!isRegisteredHost(world, returnAddress)) return reply.code(400).send('redirect_uri');
      const back = new URL(returnAddress);
      const person = findPerson(sent.get('person') ?? '');
      // WeChat redirects a person who refuses without a code and without an error.
      if (person !== undefined) {
        const clientId = sent.get('appid') ?? '';
        const scope = sent.get('scope') ?? '';
        const given = { personId: person.id, clientId, returnAddress, scope };
        back.searchParams.set('code', issueCode(world, given));
      }
      const state = sent.get('state');
      if (state !== null) back.searchParams.set('state', state);
      return reply.redirect(back.href, 303);
    });
  }

  app.get('/wechat/sns/oauth2/access_token', async (request, reply) => {
    const sent = queryOf(request.url);
    const { status, body } = await answerCall(
      world,
      { provider: 'wechat', call: 'sns/oauth2/access_token', sent, mayFail: true },
      () => accessToken(world, sent),
    );
    // WeChat answers JSON with the content type text/plain.
    return reply.code(status).type('text/plain').send(JSON.stringify(body));
  });
}

function accessToken(world: World, sent: URLSearchParams): Answer {
  const appId = sent.get('appid') ?? '';
  const client = world.clients.wechat[appId];
  if (client === undefined) return refused(40013, 'invalid appid');
  if (sent.get('secret') !== client.secret) return refused(40125, 'invalid appsecret');
  if (sent.get('grant_type') !== 'authorization_code') return refused(40002, 'invalid grant_type');
  const code = findCode(world, sent.get('code') ?? '', appId);
  const person = findPerson(code?.personId);
  if (code === undefined || person === undefined) return refused(40029, 'invalid code');
  if (code.isUsed) return refused(40163, 'code been used');
  const { token, expiresIn } = tradeCode(world, code);
  const isUnionTold = code.scope !== 'snsapi_base' && person.unionId !== null;
  return {
    status: 200,
    body: {
      access_token: token,
      expires_in: expiresIn,
      refresh_token: newSecret(),
      openid: openIdOf(person, appId),
      scope: code.scope,
      ...(isUnionTold ? { unionid: person.unionId } : {}),
    },
  };
}

/** WeChat answers errors with HTTP 200, too. */
function refused(errcode: number, errmsg: string): Answer {
  return { status: 200, body: { errcode, errmsg: `${errmsg}, rid: ${newSecret().slice(0, 12)}` } };
}

function isRegisteredHost(world: World, address: string): boolean {
  const host = URL.parse(address)?.host;
  return [...world.returnAddresses].some((known) => new URL(known).host === host);
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split('?', 2)[1] ?? '');
}
