import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenSendSms, type SmsProgram, startSms } from '../../test/sms.ts';

let sms: SmsProgram;
beforeAll(async () => {
  sms = await startSms();
});
afterAll(async () => await sms.stop());

const now = () => Math.floor(Date.now() / 1000);
const failedWith = (code: string) => ({ Response: { Error: { Code: code } } });
const statusOf = (code: string) => ({ Response: { SendStatusSet: [{ Code: code }] } });
const kept = (to: string) => sms.get(`/__sandbox/messages?to=${encodeURIComponent(to)}`);

describe('Tencent SMS', () => {
  test('the Tencent SMS sandbox accepts a signed request and keeps the template text with its parameters', async () => {
    const to = '+8613800138001';
    const answer = await sms.tencent(givenSendSms({ PhoneNumberSet: [to], SessionContext: 's' }));
    expect(answer).toMatchObject({
      Response: {
        RequestId: expect.any(String),
        SendStatusSet: [
          { Code: 'Ok', PhoneNumber: to, Fee: 1, IsoCode: 'CN', SessionContext: 's' },
        ],
      },
    });
    expect(await kept(to)).toMatchObject({
      messages: [
        { provider: 'tencent', from: 'Solmere', text: '【Solmere】Code 493817, 5 minutes' },
      ],
    });
  });

  test('the Tencent SMS sandbox refuses a signature that is wrong, expired or not over the exact request', async () => {
    const to = '+8613800138002';
    const body = givenSendSms({ PhoneNumberSet: [to] });
    const refusals = [
      [await sms.tencent(body, { secretKey: 'guessed' }), 'SignatureFailure'],
      [await sms.tencent(body, { day: '2020-01-01' }), 'SignatureFailure'],
      [await sms.tencent(body, {}, { body: `${JSON.stringify(body)} ` }), 'SignatureFailure'],
      [await sms.tencent(body, {}, { 'content-type': 'text/json' }), 'SignatureFailure'],
      [await sms.tencent(body, {}, { 'x-tc-timestamp': `${now() + 60}` }), 'SignatureFailure'],
      [await sms.tencent(body, { atSeconds: now() - 400 }), 'SignatureExpire'],
      [await sms.tencent(body, { atSeconds: now() + 400 }), 'SignatureExpire'],
      [await sms.tencent(body, { secretId: 'AKIDnobody' }), 'SecretIdNotFound'],
      [await sms.tencent(body, {}, { authorization: 'Bearer x' }), 'InvalidAuthorization'],
    ] as const;
    for (const [answer, code] of refusals) {
      expect(answer).toMatchObject(failedWith(`AuthFailure.${code}`));
    }
    expect(await kept(to)).toEqual({ messages: [] });
  });

  test.each([
    ['InvalidAction', { 'x-tc-action': 'SendFax' }],
    ['NoSuchVersion', { 'x-tc-version': '2019-07-11' }],
  ])(
    'the Tencent SMS sandbox answers %s to an unknown action or version',
    async (code, headers) => {
      expect(await sms.tencent(givenSendSms(), {}, headers)).toMatchObject(failedWith(code));
    },
  );

  test.each([
    ['UnauthorizedOperation.SmsSdkAppIdVerifyFail', { SmsSdkAppId: '1' }],
    ['InvalidParameter', { PhoneNumberSet: '+8613800138000' }],
    ['InvalidParameter', { Unheard: 'of' }],
    ['InvalidParameterValue.ContentLengthLimit', { PhoneNumberSet: [] }],
  ])('the Tencent SMS sandbox answers %s to a request with %j', async (code, changes) => {
    expect(await sms.tencent(givenSendSms(changes))).toMatchObject(failedWith(code));
  });

  test.each([
    ['FailedOperation.TemplateIncorrectOrUnapproved', { TemplateId: '999' }],
    ['FailedOperation.SignatureIncorrectOrUnapproved', { SignName: 'Somebody' }],
    ['FailedOperation.TemplateParamSetNotMatchApprovedTemplate', { TemplateParamSet: ['1'] }],
    ['InvalidParameterValue.IncorrectPhoneNumber', { PhoneNumberSet: ['+861080013800'] }],
    [
      'UnsupportedOperation.ChineseMainlandTemplateToGlobalPhone',
      { PhoneNumberSet: ['+4915201234567'] },
    ],
  ])(
    'the Tencent SMS sandbox reports the error %s for the only phone number of a request',
    async (code, changes) => {
      expect(await sms.tencent(givenSendSms(changes))).toMatchObject(statusOf(code));
    },
  );
});

describe('Twilio SMS', () => {
  test('the Twilio SMS sandbox accepts a message and answers its sid and status', async () => {
    const to = '+4915201234567';
    expect(await sms.twilio({ To: to })).toMatchObject({
      status: 201,
      body: {
        sid: expect.stringMatching(/^SM[\da-f]{32}$/),
        status: 'queued',
        to,
        error_code: null,
      },
    });
    expect(await kept(to)).toMatchObject({
      messages: [{ provider: 'twilio', from: '+15005550006', text: 'Code 493817' }],
    });
  });

  test.each([
    [21604, 'no recipient', { To: '' }],
    [21211, 'an invalid recipient', { To: '+15005550001' }],
    [21211, 'a recipient without country code', { To: '0152 1234567' }],
    [21612, 'an unreachable recipient', { To: '+15005550002' }],
    [21408, 'a recipient in a disabled country', { To: '+15005550003' }],
    [21610, 'an unsubscribed recipient', { To: '+15005550004' }],
    [21614, 'a recipient that is no mobile number', { To: '+15005550009' }],
    [21606, 'an unknown sender', { To: '+4915201234567', From: '+4915209999999' }],
    [21602, 'an empty text', { To: '+4915201234567', Body: '' }],
    [21617, 'a text of 1601 characters', { To: '+4915201234567', Body: 'x'.repeat(1601) }],
  ])('the Twilio SMS sandbox answers error %i to a message with %s', async (code, _what, form) => {
    expect(await sms.twilio(form)).toMatchObject({
      status: 400,
      body: { code, status: 400, more_info: `https://www.twilio.com/docs/errors/${code}` },
    });
  });

  test('the Twilio SMS sandbox refuses a wrong token and another account', async () => {
    const form = { To: '+4915201234568' };
    expect(await sms.twilio(form, { token: 'guessed' })).toMatchObject({ body: { code: 20003 } });
    expect(await sms.twilio(form, { sid: 'ACother' })).toMatchObject({ body: { code: 20404 } });
    expect(await kept('+4915201234568')).toEqual({ messages: [] });
  });
});

test('the inbox page of the SMS sandbox shows text messages with their HTML escaped', async () => {
  await sms.twilio({ To: '+4915201234569', Body: '<script>alert(1)</script>' });
  const pageFor = async (to: string) =>
    await (await fetch(`${sms.url}/__sandbox?to=${encodeURIComponent(to)}`)).text();
  expect(await pageFor('+4915201234569')).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(await pageFor('+4915201234570')).toContain('Nothing yet.');
});
