import { createHash, createHmac } from 'node:crypto';
import { startProgram } from './programs.ts';

const secretId = 'AKIDsandbox';
const secretKey = 'tencent-secret';
const twilio = { sid: 'ACsandbox', token: 'twilio-secret', from: '+15005550006' };

export type Signing = { secretKey?: string; secretId?: string; atSeconds?: number; day?: string };

/** The program, with calls signed step by step as in Tencent's documentation. */
export async function startSms() {
  const program = await startProgram('sms', {
    TENCENT_SECRET_ID: secretId,
    TENCENT_SECRET_KEY: secretKey,
    TENCENT_APP_ID: '1400006666',
    TENCENT_SIGN: 'Solmere',
    TENCENT_TEMPLATES: JSON.stringify({ 101: 'Code {1}, {2} minutes' }),
    TWILIO_ACCOUNT_SID: twilio.sid,
    TWILIO_AUTH_TOKEN: twilio.token,
    TWILIO_FROM: twilio.from,
  });
  return {
    ...program,
    tencent: async (body: object, signing: Signing = {}, changes: Record<string, string> = {}) => {
      const raw = JSON.stringify(body);
      const response = await fetch(program.url, {
        method: 'POST',
        headers: { ...signed(raw, new URL(program.url).hostname, signing), ...changes },
        body: changes.body ?? raw,
      });
      return await response.json();
    },
    twilio: async (form: Record<string, string>, at: { sid?: string; token?: string } = {}) => {
      const { sid = twilio.sid, token = twilio.token } = at;
      const login = Buffer.from(`${twilio.sid}:${token}`).toString('base64');
      const path = `/2010-04-01/Accounts/${sid}/Messages.json`;
      const response = await fetch(program.url + path, {
        method: 'POST',
        headers: { authorization: `Basic ${login}` },
        body: new URLSearchParams({ From: twilio.from, Body: 'Code 493817', ...form }),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}
export type SmsProgram = Awaited<ReturnType<typeof startSms>>;

export function givenSendSms(changes: object = {}) {
  return {
    PhoneNumberSet: ['+8613800138000'],
    SmsSdkAppId: '1400006666',
    SignName: 'Solmere',
    TemplateId: '101',
    TemplateParamSet: ['493817', '5'],
    ...changes,
  };
}

function signed(body: string, host: string, signing: Signing): Record<string, string> {
  const timestamp = String(signing.atSeconds ?? Math.floor(Date.now() / 1000));
  const day = signing.day ?? new Date(Number(timestamp) * 1000).toISOString().slice(0, 10);
  const [service = ''] = host.split('.');
  const request = [
    ...['POST', '/', '', 'content-type:application/json', `host:${host}`, ''],
    ...['content-type;host', createHash('sha256').update(body).digest('hex')],
  ].join('\n');
  const digest = createHash('sha256').update(request).digest('hex');
  const scope = `${day}/${service}/tc3_request`;
  const toSign = `TC3-HMAC-SHA256\n${timestamp}\n${scope}\n${digest}`;
  const key = [day, service, 'tc3_request'].reduce<string | Buffer>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    `TC3${signing.secretKey ?? secretKey}`,
  );
  const signature = createHmac('sha256', key).update(toSign).digest('hex');
  return {
    'content-type': 'application/json',
    'x-tc-action': 'SendSms',
    'x-tc-version': '2021-01-11',
    'x-tc-region': 'ap-guangzhou',
    'x-tc-timestamp': timestamp,
    authorization: `TC3-HMAC-SHA256 Credential=${signing.secretId ?? secretId}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`,
  };
}
