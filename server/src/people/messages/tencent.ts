import tencentcloud from 'tencentcloud-sdk-nodejs-sms';
import { codeOf, notSent } from './outcome.ts';
import type { ApprovedText, Sms } from './sms.ts';

export interface TencentOptions {
  secretId: string;
  secretKey: string;
  appId: string;
  /** The approved signature that precedes each message. */
  sign: string;
  /** Overrides Tencent's endpoint, for the sandbox. */
  endpoint?: string | undefined;
  timeoutMs?: number | undefined;
}

/** Tencent's error codes for an invalid phone number. */
const wrongRecipient = new Set([
  'InvalidParameterValue.IncorrectPhoneNumber',
  'FailedOperation.PhoneNumberInBlacklist',
]);

/** Tencent Cloud, which sends only texts that were approved beforehand. */
export function openTencent(options: TencentOptions): Sms<ApprovedText> {
  const { secretId, secretKey, appId, sign, timeoutMs = 10_000 } = options;
  const client = new tencentcloud.sms.v20210111.Client({
    credential: { secretId, secretKey },
    region: 'ap-guangzhou',
    profile: { httpProfile: { reqTimeout: timeoutMs / 1000, ...addressOf(options.endpoint) } },
  });
  const resultOf = (to: string, code: string) => {
    if (code === 'Ok') return 'sent';
    const result = wrongRecipient.has(code) ? 'refused' : 'unknown';
    return notSent(result, { by: 'tencent', to, cause: code });
  };
  return {
    send: async ({ to, templateId, values }) => {
      try {
        const { SendStatusSet } = await client.SendSms({
          PhoneNumberSet: [to],
          SmsSdkAppId: appId,
          SignName: sign,
          TemplateId: templateId,
          TemplateParamSet: values,
        });
        return resultOf(to, SendStatusSet?.[0]?.Code ?? 'no status');
      } catch (error) {
        return resultOf(to, codeOf(error));
      }
    },
  };
}

function addressOf(endpoint: string | undefined) {
  if (endpoint === undefined) return {};
  const { protocol, host } = new URL(endpoint);
  return { endpoint: host, protocol: `${protocol}//` };
}
