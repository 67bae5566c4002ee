import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { bodyText } from '../platform/requests.ts';
import { type Answer, answerCall, findCode, issueCode, tradeCode } from './back-channel.ts';
import { choosePage, sorryPage } from './choose-page.ts';
import { facebookIdOf, findPerson, people } from './people.ts';
import { newSecret, takeFault, type World } from './world.ts';

const dialog = '/facebook/:version/dialog/oauth';

/**
 * Facebook Login on the web: the dialog, the token endpoint, and the two token inspection calls.
 */
export function registerFacebookRoutes(app: FastifyInstance, world: World): void {
  const { appId } = world.clients.facebook;

  app.get(dialog, (request, reply) => {
    const query = queryOf(request.url);
    const returnAddress = query.get('redirect_uri') ?? '';
    reply.type('text/html; charset=utf-8');
    if (query.get('client_id') !== appId) return reply.send(sorryPage('Invalid App ID'));
    if (!world.returnAddresses.has(returnAddress)) {
      return reply.send(sorryPage('URL blocked: this redirect is not registered.'));
    }
    if (query.get('response_type') !== 'code') return reply.send(sorryPage('Not the code flow.'));
    const fields = { redirect_uri: returnAddress, state: query.get('state') ?? '' };
    const action = request.url.split('?', 1)[0] ?? '';
    return reply.send(choosePage({ provider: 'Facebook', client: appId, action, fields }));
  });

  app.post(dialog, (request, reply) => {
    const sent = new URLSearchParams(bodyText(request));
    const returnAddress = sent.get('redirect_uri') ?? '';
    if (!world.returnAddresses.has(returnAddress)) return reply.code(400).send('URL blocked');
    const person = findPerson(sent.get('person') ?? '');
    const back = new URL(returnAddress);
    if (person === undefined) {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_code', '200');
      back.searchParams.set('error_description', 'Permissions error');
      back.searchParams.set('error_reason', 'user_denied');
    } else {
      const given = {
        personId: person.id,
        clientId: appId,
        returnAddress,
        scope: 'public_profile',
      };
      back.searchParams.set('code', issueCode(world, given));
    }
    back.searchParams.set('state', sent.get('state') ?? '');
    back.hash = '_=_';
    return reply.redirect(back.href, 303);
  });

  const calls: Record<string, (sent: URLSearchParams) => Answer> = {
    'oauth/access_token': (sent) => accessToken(world, sent),
    debug_token: (sent) => debugToken(world, sent),
    me: (sent) => me(world, sent),
  };
  for (const [call, work] of Object.entries(calls)) {
    app.get(`/facebook/:version/${call}`, async (request, reply) => {
      const sent = queryOf(request.url);
      const mayFail = call === 'oauth/access_token';
      const { status, body } = await answerCall(
        world,
        { provider: 'facebook', call, sent, mayFail },
        () => work(sent),
      );
      return reply.code(status).send(body);
    });
  }
}

function accessToken(world: World, sent: URLSearchParams): Answer {
  const { appId, appSecret } = world.clients.facebook;
  if (sent.get('client_id') !== appId) return refused('Error validating application.', 101);
  if (sent.get('client_secret') !== appSecret) {
    return refused('Error validating client secret.', 1);
  }
  const code = findCode(world, sent.get('code') ?? '', appId);
  if (code === undefined) return refused('Invalid verification code format.', 100);
  if (code.isUsed) return refused('This authorization code has been used.', 100);
  if (sent.get('redirect_uri') !== code.returnAddress) {
    return refused(
      'Error validating verification code. Please make sure your redirect_uri is identical.',
      100,
    );
  }
  const { token, expiresIn } = tradeCode(world, code);
  return ok({ access_token: token, token_type: 'bearer', expires_in: expiresIn });
}

function debugToken(world: World, sent: URLSearchParams): Answer {
  const { appId, appSecret } = world.clients.facebook;
  if (sent.get('access_token') !== `${appId}|${appSecret}`) {
    return refused('Invalid OAuth access token signature.', 190);
  }
  const token = world.tokens.get(sent.get('input_token') ?? '');
  const person = findPerson(token?.personId);
  if (token === undefined || person === undefined) {
    return ok({
      data: {
        error: { code: 190, message: 'Malformed access token' },
        is_valid: false,
        scopes: [],
      },
    });
  }
  const isValid = takeFault(world, 'facebook', ['invalid_token']) === undefined;
  const isOtherApp = takeFault(world, 'facebook', ['other_app']) !== undefined;
  return ok({
    data: {
      app_id: isOtherApp ? '999999999999999' : appId,
      type: 'USER',
      application: 'A shop',
      expires_at: Math.floor(token.expiresAt / 1_000),
      is_valid: isValid,
      scopes: [token.scope],
      user_id: facebookIdOf(person, appId),
    },
  });
}

function me(world: World, sent: URLSearchParams): Answer {
  const { appId, appSecret } = world.clients.facebook;
  const accessToken = sent.get('access_token') ?? '';
  const token = world.tokens.get(accessToken);
  const person = findPerson(token?.personId);
  if (person === undefined) return refused('Invalid OAuth access token.', 190);
  const proof = createHmac('sha256', appSecret).update(accessToken).digest('hex');
  if (sent.get('appsecret_proof') !== proof) {
    return refused('Invalid appsecret_proof provided in the API argument', 100);
  }
  const isOther = takeFault(world, 'facebook', ['other_person']) !== undefined;
  const shown = isOther ? (people.find(({ id }) => id !== person.id) ?? person) : person;
  return ok({ id: facebookIdOf(shown, appId) });
}

function refused(message: string, code: number): Answer {
  const error = { message, type: 'OAuthException', code, fbtrace_id: newSecret().slice(0, 11) };
  return { status: 400, body: { error } };
}

function ok(body: object): Answer {
  return { status: 200, body };
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split('?', 2)[1] ?? '');
}
