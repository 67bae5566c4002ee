import { randomInt, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { bodyText, cut } from '../platform/requests.ts';
import { listOf, object, optional, type ReadBy, ShapeError, text } from '../platform/shape.ts';
import { type Carrier, keep, takeFault } from './carrier.ts';
import { signatureProblem } from './tc3-signature.ts';

const sendSmsBody = object({
  PhoneNumberSet: listOf(text),
  SmsSdkAppId: text,
  TemplateId: text,
  SignName: optional(text),
  TemplateParamSet: optional(listOf(text)),
  ExtendCode: optional(text),
  SessionContext: optional(text),
  SenderId: optional(text),
});
type SendSms = ReadBy<typeof sendSmsBody>;

const numbersMax = 200;

/** Tencent Cloud's SendSms, version 2021-01-11. Errors are answered with HTTP 200, as there. */
export function registerTencentRoutes(app: FastifyInstance, carrier: Carrier): void {
  app.post('/', async (request, reply) => {
    const { headers } = request;
    const signed = { method: 'POST', path: '/', headers, body: bodyText(request) };
    const now = Math.floor(Date.now() / 1000);
    const problem = signatureProblem(signed, carrier.tencent, now) ?? headerProblem(headers);
    if (problem !== undefined) return failure(problem);
    const body = readBody(bodyText(request));
    if (body === undefined) return failure('InvalidParameter');
    const wrong = bodyProblem(carrier, body);
    if (wrong !== undefined) return failure(wrong);

    const fault = await takeFault(carrier, { provider: 'tencent', to: body.PhoneNumberSet[0] });
    if (fault === 'throttle') return failure('RequestLimitExceeded');
    if (fault === 'http500_before') return reply.code(500).send('');
    const statuses = carrier.db.transaction(() =>
      body.PhoneNumberSet.map((number) =>
        send(carrier, body, { number, isBlocked: fault === 'refuse' }),
      ),
    );
    if (fault === 'http500_after_commit') return reply.code(500).send('');
    if (fault === 'cut_after_commit') {
      cut(request, reply);
      return reply;
    }
    return { Response: { SendStatusSet: statuses, RequestId: randomUUID() } };
  });
}

function headerProblem(headers: Record<string, unknown>): string | undefined {
  if (headers['x-tc-action'] !== 'SendSms') return 'InvalidAction';
  if (headers['x-tc-version'] !== '2021-01-11') return 'NoSuchVersion';
  return typeof headers['x-tc-region'] === 'string' ? undefined : 'MissingParameter';
}

function readBody(sent: string): SendSms | undefined {
  try {
    return sendSmsBody(JSON.parse(sent), 'body');
  } catch (error) {
    if (error instanceof ShapeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function bodyProblem(carrier: Carrier, body: SendSms): string | undefined {
  const count = body.PhoneNumberSet.length;
  if (count === 0) return 'InvalidParameterValue.ContentLengthLimit';
  if (count > numbersMax) return 'LimitExceeded.PhoneNumberCountLimit';
  if (body.SmsSdkAppId !== carrier.tencent.appId) {
    return 'UnauthorizedOperation.SmsSdkAppIdVerifyFail';
  }
  return undefined;
}

/** The result for each phone number; a fault of the text applies to all of them. */
function send(
  carrier: Carrier,
  body: SendSms,
  { number, isBlocked }: { number: string; isBlocked: boolean },
) {
  const { sign, templates } = carrier.tencent;
  const code = isBlocked
    ? 'FailedOperation.PhoneNumberInBlacklist'
    : (textProblem(carrier, body) ?? numberProblem(number) ?? 'Ok');
  const isSent = code === 'Ok';
  if (isSent) {
    const words = fill(templates[body.TemplateId] ?? '', body.TemplateParamSet ?? []);
    const message = { recipient: number, sender: sign, text: `【${sign}】${words}` };
    keep(carrier, { provider: 'tencent', ...message });
  }
  return {
    SerialNo: isSent ? `5000:${Date.now()}${randomInt(1e9)}` : '',
    PhoneNumber: number,
    Fee: isSent ? 1 : 0,
    SessionContext: body.SessionContext ?? '',
    Code: code,
    Message: isSent ? 'send success' : messageOf(code),
    IsoCode: number.startsWith('+86') ? 'CN' : 'DEF',
  };
}

function textProblem({ tencent }: Carrier, body: SendSms): string | undefined {
  const template = tencent.templates[body.TemplateId];
  if (template === undefined) return 'FailedOperation.TemplateIncorrectOrUnapproved';
  if (body.SignName !== tencent.sign) return 'FailedOperation.SignatureIncorrectOrUnapproved';
  const places = new Set(template.match(/\{\d+\}/g));
  if (places.size !== (body.TemplateParamSet ?? []).length) {
    return 'FailedOperation.TemplateParamSetNotMatchApprovedTemplate';
  }
  return undefined;
}

function numberProblem(number: string): string | undefined {
  if (/^\+861[3-9]\d{9}$/.test(number)) return undefined;
  if (/^\+(?!86)[1-9]\d{6,14}$/.test(number)) {
    return 'UnsupportedOperation.ChineseMainlandTemplateToGlobalPhone';
  }
  return 'InvalidParameterValue.IncorrectPhoneNumber';
}

function fill(template: string, values: readonly string[]): string {
  return template.replace(/\{(\d+)\}/g, (_, place) => values[Number(place) - 1] ?? '');
}

function failure(code: string) {
  return { Response: { Error: { Code: code, Message: messageOf(code) }, RequestId: randomUUID() } };
}

/** Turns the last part of an error code into words: `SignatureFailure` is a "signature failure". */
function messageOf(code: string): string {
  return (code.split('.').at(-1) ?? '').replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
