import type { Locale } from '@pointgate/contract/locales.ts';
import type { CodeMessage } from './message.ts';

type Words = Pick<CodeMessage, 'code' | 'minutes' | 'locale' | 'siteTitle'>;

interface CodeTexts {
  /** Without the code: subjects appear on lock screens and in mail server logs. */
  subject(site: string): string;
  intro(site: string): string;
  validity(minutes: number): string;
  warning: string;
  ignore: string;
  sms(words: { site: string; code: string; minutes: number }): string;
}

export function smsText({ code, minutes, locale, siteTitle }: Words): string {
  return texts[locale].sms({ site: siteTitle, code, minutes });
}

export interface MailTexts {
  subject: string;
  text: string;
  html: string;
}

export function mailTexts({ code, minutes, locale, siteTitle }: Words): MailTexts {
  const { subject, intro, validity, warning, ignore } = texts[locale];
  const [first, ...rest] = [intro(siteTitle), validity(minutes), warning, ignore];
  return {
    subject: subject(siteTitle),
    text: `${[first, code, ...rest].join('\n\n')}\n`,
    html: mailPage({ locale, subject: subject(siteTitle) }, [
      paragraph(first),
      `<p style="font-size:32px;font-weight:700;letter-spacing:6px;margin:16px 0">${escaped(code)}</p>`,
      ...rest.map(paragraph),
    ]),
  };
}

export function mailPage(
  { locale, subject }: { locale: Locale; subject: string },
  parts: readonly string[],
): string {
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.6 system-ui,sans-serif;color:#1b212b">
${parts.join('\n')}
</body></html>
`;
}

export function paragraph(words: string): string {
  return `<p>${escaped(words)}</p>`;
}

export function escaped(words: string): string {
  return words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const texts: Record<Locale, CodeTexts> = {
  'en-US': {
    subject: (site) => `Your ${site} verification code`,
    intro: (site) => `Your verification code for ${site}:`,
    validity: (minutes) => `It is valid for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    warning: 'Never share this code with anyone. We will never ask you for it.',
    ignore: 'If you did not request this code, you can ignore this email.',
    sms: ({ site, code, minutes }) =>
      `${code} is your ${site} verification code, valid for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. Never share it with anyone.`,
  },
  'zh-CN': {
    subject: (site) => `${site} 验证码`,
    intro: (site) => `您的 ${site} 验证码：`,
    validity: (minutes) => `验证码 ${minutes} 分钟内有效。`,
    warning: '请勿将验证码告知任何人，我们的工作人员不会向您索要。',
    ignore: '如非您本人操作，请忽略本邮件。',
    sms: ({ site, code, minutes }) =>
      `【${site}】验证码 ${code}，${minutes} 分钟内有效。请勿告知任何人。`,
  },
  'zh-HK': {
    subject: (site) => `${site} 驗證碼`,
    intro: (site) => `你的 ${site} 驗證碼：`,
    validity: (minutes) => `驗證碼於 ${minutes} 分鐘內有效。`,
    warning: '切勿向任何人透露此驗證碼，我們的職員絕不會向你索取。',
    ignore: '如非你本人要求，請不用理會此電郵。',
    sms: ({ site, code, minutes }) =>
      `【${site}】驗證碼：${code}，${minutes} 分鐘內有效。切勿向任何人透露。`,
  },
  'zh-TW': {
    subject: (site) => `${site} 驗證碼`,
    intro: (site) => `您的 ${site} 驗證碼：`,
    validity: (minutes) => `驗證碼在 ${minutes} 分鐘內有效。`,
    warning: '請勿將驗證碼告訴任何人，我們的工作人員不會向您索取。',
    ignore: '若您並未提出要求，請忽略這封電子郵件。',
    sms: ({ site, code, minutes }) =>
      `【${site}】驗證碼：${code}，${minutes} 分鐘內有效。請勿告訴任何人。`,
  },
  'th-TH': {
    subject: (site) => `รหัสยืนยันสำหรับ ${site}`,
    intro: (site) => `รหัสยืนยันของคุณสำหรับ ${site}:`,
    validity: (minutes) => `รหัสนี้ใช้ได้ภายใน ${minutes} นาที`,
    warning: 'ห้ามบอกรหัสนี้แก่ผู้อื่นโดยเด็ดขาด เราจะไม่ขอรหัสนี้จากคุณ',
    ignore: 'หากคุณไม่ได้ขอรหัสนี้ โปรดละเว้นอีเมลฉบับนี้',
    sms: ({ site, code, minutes }) =>
      `${code} คือรหัสยืนยัน ${site} ของคุณ ใช้ได้ภายใน ${minutes} นาที ห้ามบอกรหัสนี้แก่ผู้อื่น`,
  },
  'ko-KR': {
    subject: (site) => `${site} 인증번호`,
    intro: (site) => `${site} 인증번호입니다.`,
    validity: (minutes) => `인증번호는 ${minutes}분 동안 유효합니다.`,
    warning: '인증번호를 다른 사람에게 절대 알려 주지 마세요. 저희는 인증번호를 묻지 않습니다.',
    ignore: '본인이 요청하지 않았다면 이 메일을 무시해 주세요.',
    sms: ({ site, code, minutes }) =>
      `[${site}] 인증번호 ${code} (${minutes}분간 유효). 다른 사람에게 절대 알려 주지 마세요.`,
  },
  'ja-JP': {
    subject: (site) => `【${site}】認証コードのお知らせ`,
    intro: (site) => `${site} の認証コードは次のとおりです。`,
    validity: (minutes) => `有効期限は ${minutes} 分です。`,
    warning: 'このコードは誰にも教えないでください。当社からコードをお尋ねすることはありません。',
    ignore: 'お心当たりのない場合は、このメールを破棄してください。',
    sms: ({ site, code, minutes }) =>
      `【${site}】認証コード：${code}（有効期限 ${minutes} 分）。誰にも教えないでください。`,
  },
  'vi-VN': {
    subject: (site) => `Mã xác minh ${site}`,
    intro: (site) => `Mã xác minh ${site} của bạn:`,
    validity: (minutes) => `Mã có hiệu lực trong ${minutes} phút.`,
    warning:
      'Tuyệt đối không chia sẻ mã này với bất kỳ ai. Chúng tôi không bao giờ hỏi mã của bạn.',
    ignore: 'Nếu bạn không yêu cầu mã này, vui lòng bỏ qua email này.',
    sms: ({ site, code, minutes }) =>
      `${code} là mã xác minh ${site} của bạn, có hiệu lực trong ${minutes} phút. Không chia sẻ mã này với bất kỳ ai.`,
  },
  'de-DE': {
    subject: (site) => `Ihr Bestätigungscode für ${site}`,
    intro: (site) => `Ihr Bestätigungscode für ${site}:`,
    validity: (minutes) => `Er ist ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'} gültig.`,
    warning: 'Geben Sie diesen Code niemals weiter. Wir werden Sie nie danach fragen.',
    ignore: 'Wenn Sie diesen Code nicht angefordert haben, ignorieren Sie bitte diese E-Mail.',
    sms: ({ site, code, minutes }) =>
      `${code} ist Ihr Bestätigungscode für ${site}, gültig für ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'}. Geben Sie ihn niemals weiter.`,
  },
};
