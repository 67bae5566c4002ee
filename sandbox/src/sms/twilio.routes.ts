import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { bodyText, cut } from '../platform/requests.ts';
import { object, text } from '../platform/shape.ts';
import { type Carrier, keep, takeFault } from './carrier.ts';

type Failure = { status: number; code: number; message: string };

const pathParams = object({ sid: text });

/** Twilio's magic test numbers, each of which causes an error. */
const magicNumbers: Record<string, Failure> = {
  '+15005550001': { status: 400, code: 21211, message: "Invalid 'To' Phone Number" },
  '+15005550002': { status: 400, code: 21612, message: 'The From and To pair is not possible' },
  '+15005550003': { status: 400, code: 21408, message: 'Permission to send is not enabled' },
  '+15005550004': {
    status: 400,
    code: 21610,
    message: 'Attempt to send to unsubscribed recipient',
  },
  '+15005550009': { status: 400, code: 21614, message: "'To' number is not a valid mobile number" },
};

/** Twilio's API call that creates a message. */
export function registerTwilioRoutes(app: FastifyInstance, carrier: Carrier): void {
  app.post('/2010-04-01/Accounts/:sid/Messages.json', async (request, reply) => {
    const { sid } = pathParams(request.params, 'params');
    const form = new URLSearchParams(bodyText(request));
    const to = form.get('To') ?? '';
    const problem =
      authProblem(carrier, { sid, header: request.headers.authorization }) ??
      formProblem(carrier, form);
    if (problem !== undefined) return fail(reply, problem);

    const fault = await takeFault(carrier, { provider: 'twilio', to });
    if (fault === 'throttle') {
      return fail(reply, { status: 429, code: 20429, message: 'Too Many Requests' });
    }
    if (fault === 'refuse') return fail(reply, unsubscribed);
    if (fault === 'http500_before') return fail(reply, broken);
    const message = { to, from: form.get('From') ?? '', body: form.get('Body') ?? '' };
    keep(carrier, {
      provider: 'twilio',
      recipient: to,
      sender: message.from,
      text: message.body,
    });
    if (fault === 'http500_after_commit') return fail(reply, broken);
    if (fault === 'cut_after_commit') {
      cut(request, reply);
      return reply;
    }
    return reply.code(201).send(messageObject(sid, message));
  });
}

const broken: Failure = { status: 500, code: 20500, message: 'Internal Server Error' };
const unsubscribed: Failure = {
  status: 400,
  code: 21610,
  message: 'Attempt to send to unsubscribed recipient',
};

function authProblem(
  { twilio }: Carrier,
  { sid, header }: { sid: string; header: string | undefined },
): Failure | undefined {
  const expected = Buffer.from(`${twilio.accountSid}:${twilio.authToken}`).toString('base64');
  if (header !== `Basic ${expected}`) return { status: 401, code: 20003, message: 'Authenticate' };
  if (sid === twilio.accountSid) return undefined;
  return { status: 404, code: 20404, message: 'The requested resource was not found' };
}

function formProblem({ twilio }: Carrier, form: URLSearchParams): Failure | undefined {
  const to = form.get('To') ?? '';
  const body = form.get('Body') ?? '';
  if (to === '') return { status: 400, code: 21604, message: "A 'To' phone number is required." };
  const magic = magicNumbers[to];
  if (magic !== undefined) return magic;
  if (!/^\+[1-9]\d{6,14}$/.test(to)) {
    return { status: 400, code: 21211, message: `Invalid 'To' Phone Number: ${to}` };
  }
  if (form.get('From') !== twilio.from) {
    return { status: 400, code: 21606, message: "The 'From' phone number is not yours" };
  }
  if (body === '') return { status: 400, code: 21602, message: 'Message body is required.' };
  if (body.length > 1600) {
    return { status: 400, code: 21617, message: 'The concatenated message body exceeds 1600' };
  }
  return undefined;
}

function fail(reply: FastifyReply, { status, code, message }: Failure): FastifyReply {
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return reply.code(status).send({ code, message, more_info, status });
}

function messageObject(
  account_sid: string,
  { to, from, body }: { to: string; from: string; body: string },
) {
  const sid = `SM${randomBytes(16).toString('hex')}`;
  const uri = `/2010-04-01/Accounts/${account_sid}/Messages/${sid}`;
  const now = new Date().toUTCString().replace('GMT', '+0000');
  return {
    account_sid,
    api_version: '2010-04-01',
    body,
    date_created: now,
    date_sent: null,
    date_updated: now,
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from,
    messaging_service_sid: null,
    num_media: '0',
    num_segments: '1',
    price: null,
    price_unit: 'USD',
    sid,
    status: 'queued',
    subresource_uris: { media: `${uri}/Media.json` },
    to,
    uri: `${uri}.json`,
  };
}
