import type { Locale } from '@pointgate/contract/locales.ts';
import type { NoticeKind, NoticeMessage } from './message.ts';
import { escaped, type MailTexts, mailPage, paragraph } from './texts.ts';

interface NoticeTexts {
  subject(site: string): string;
  happened: Record<NoticeKind, (words: { site: string; time: string }) => string>;
  ifYou: string;
  ifNotYou(days: number): string;
  button: string;
  /** What the link does. */
  effect: string;
}

export function noticeTexts(message: Omit<NoticeMessage, 'to'>): MailTexts {
  const { kind, at, link, days, locale, siteTitle: site } = message;
  const { subject, happened, ifYou, ifNotYou, button, effect } = texts[locale];
  const first = happened[kind]({ site, time: timeIn(locale, at) });
  return {
    subject: subject(site),
    text: `${[first, ifYou, ifNotYou(days), link, effect].join('\n\n')}\n`,
    html: mailPage({ locale, subject: subject(site) }, [
      ...[first, ifYou, ifNotYou(days)].map(paragraph),
      `<p><a href="${escaped(link)}" style="color:#1b4fd6;font-weight:700">${escaped(button)}</a></p>`,
      paragraph(effect),
    ]),
  };
}

/** In UTC, because the shop does not know the owner's time zone. */
function timeIn(locale: Locale, at: Date): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(locale, format).format(at)} UTC`;
}

const texts: Record<Locale, NoticeTexts> = {
  'en-US': {
    subject: (site) => `Your ${site} account was changed`,
    happened: {
      passkey_added: ({ site, time }) => `A passkey was added to your ${site} account (${time}).`,
      passkey_removed: ({ site, time }) =>
        `A passkey was removed from your ${site} account (${time}).`,
      password_reset: ({ site, time }) =>
        `The password of your ${site} account was reset with a code (${time}).`,
      password_changed: ({ site, time }) =>
        `The password of your ${site} account was changed (${time}).`,
      mail_changed: ({ site, time }) =>
        `The email address of your ${site} account was changed (${time}).`,
      mail_removed: ({ site, time }) =>
        `An email address was removed from your ${site} account (${time}).`,
      phone_changed: ({ site, time }) =>
        `The phone number of your ${site} account was changed (${time}).`,
      phone_removed: ({ site, time }) =>
        `A phone number was removed from your ${site} account (${time}).`,
      recovery_codes_made: ({ site, time }) =>
        `New recovery codes were made for your ${site} account (${time}).`,
      recovery_code_used: ({ site, time }) =>
        `The password of your ${site} account was reset with a recovery code (${time}).`,
    },
    ifYou: 'If this was you, there is nothing to do.',
    ifNotYou: (days) =>
      `If it was not you, secure your account within ${days} days. Open this page and confirm:`,
    button: 'Secure my account',
    effect:
      'This signs out every device, removes passkeys and recovery codes that were added since, brings back your former email address and phone number, and has you set a new password.',
  },
  'zh-CN': {
    subject: (site) => `您的 ${site} 账号有变动`,
    happened: {
      passkey_added: ({ site, time }) => `您的 ${site} 账号新增了一个通行密钥（${time}）。`,
      passkey_removed: ({ site, time }) => `您的 ${site} 账号移除了一个通行密钥（${time}）。`,
      password_reset: ({ site, time }) => `您的 ${site} 账号通过验证码重置了密码（${time}）。`,
      password_changed: ({ site, time }) => `您的 ${site} 账号修改了密码（${time}）。`,
      mail_changed: ({ site, time }) => `您的 ${site} 账号更换了邮箱（${time}）。`,
      mail_removed: ({ site, time }) => `您的 ${site} 账号解绑了邮箱（${time}）。`,
      phone_changed: ({ site, time }) => `您的 ${site} 账号更换了手机号（${time}）。`,
      phone_removed: ({ site, time }) => `您的 ${site} 账号解绑了手机号（${time}）。`,
      recovery_codes_made: ({ site, time }) => `您的 ${site} 账号生成了新的恢复码（${time}）。`,
      recovery_code_used: ({ site, time }) => `您的 ${site} 账号通过恢复码重置了密码（${time}）。`,
    },
    ifYou: '如果是您本人操作，无需理会。',
    ifNotYou: (days) => `如果不是您本人操作，请在 ${days} 天内保护账号。请打开以下页面并确认：`,
    button: '保护我的账号',
    effect:
      '确认后，所有设备将退出登录，此后新增的通行密钥和恢复码将失效，原来的邮箱和手机号将恢复，并需要您设置新密码。',
  },
  'zh-HK': {
    subject: (site) => `你的 ${site} 帳戶有變更`,
    happened: {
      passkey_added: ({ site, time }) => `你的 ${site} 帳戶新增了一個密鑰（${time}）。`,
      passkey_removed: ({ site, time }) => `你的 ${site} 帳戶移除了一個密鑰（${time}）。`,
      password_reset: ({ site, time }) => `你的 ${site} 帳戶已透過驗證碼重設密碼（${time}）。`,
      password_changed: ({ site, time }) => `你的 ${site} 帳戶已更改密碼（${time}）。`,
      mail_changed: ({ site, time }) => `你的 ${site} 帳戶已更改電郵地址（${time}）。`,
      mail_removed: ({ site, time }) => `你的 ${site} 帳戶已移除電郵地址（${time}）。`,
      phone_changed: ({ site, time }) => `你的 ${site} 帳戶已更改手機號碼（${time}）。`,
      phone_removed: ({ site, time }) => `你的 ${site} 帳戶已移除手機號碼（${time}）。`,
      recovery_codes_made: ({ site, time }) => `你的 ${site} 帳戶已產生新的復原碼（${time}）。`,
      recovery_code_used: ({ site, time }) => `你的 ${site} 帳戶已透過復原碼重設密碼（${time}）。`,
    },
    ifYou: '如果是你本人操作，無須理會。',
    ifNotYou: (days) => `如果不是你本人操作，請於 ${days} 天內保護帳戶。請開啟以下頁面並確認：`,
    button: '保護我的帳戶',
    effect:
      '確認後，所有裝置都會登出，其後新增的密鑰和復原碼會失效，原有的電郵地址和手機號碼會恢復，並需要你設定新密碼。',
  },
  'zh-TW': {
    subject: (site) => `您的 ${site} 帳號有變更`,
    happened: {
      passkey_added: ({ site, time }) => `您的 ${site} 帳號新增了一個通行金鑰（${time}）。`,
      passkey_removed: ({ site, time }) => `您的 ${site} 帳號移除了一個通行金鑰（${time}）。`,
      password_reset: ({ site, time }) => `您的 ${site} 帳號已透過驗證碼重設密碼（${time}）。`,
      password_changed: ({ site, time }) => `您的 ${site} 帳號已變更密碼（${time}）。`,
      mail_changed: ({ site, time }) => `您的 ${site} 帳號已變更電子郵件地址（${time}）。`,
      mail_removed: ({ site, time }) => `您的 ${site} 帳號已移除電子郵件地址（${time}）。`,
      phone_changed: ({ site, time }) => `您的 ${site} 帳號已變更手機號碼（${time}）。`,
      phone_removed: ({ site, time }) => `您的 ${site} 帳號已移除手機號碼（${time}）。`,
      recovery_codes_made: ({ site, time }) => `您的 ${site} 帳號已產生新的復原碼（${time}）。`,
      recovery_code_used: ({ site, time }) => `您的 ${site} 帳號已透過復原碼重設密碼（${time}）。`,
    },
    ifYou: '如果是您本人操作，不需要理會。',
    ifNotYou: (days) => `如果不是您本人操作，請在 ${days} 天內保護帳號。請開啟以下頁面並確認：`,
    button: '保護我的帳號',
    effect:
      '確認後，所有裝置都會登出，之後新增的通行金鑰和復原碼會失效，原本的電子郵件地址和手機號碼會恢復，並請您設定新密碼。',
  },
  'th-TH': {
    subject: (site) => `บัญชี ${site} ของคุณมีการเปลี่ยนแปลง`,
    happened: {
      passkey_added: ({ site, time }) => `มีการเพิ่มพาสคีย์ในบัญชี ${site} ของคุณ (${time})`,
      passkey_removed: ({ site, time }) => `มีการลบพาสคีย์ออกจากบัญชี ${site} ของคุณ (${time})`,
      password_reset: ({ site, time }) => `มีการรีเซ็ตรหัสผ่านของบัญชี ${site} ของคุณด้วยรหัสยืนยัน (${time})`,
      password_changed: ({ site, time }) => `มีการเปลี่ยนรหัสผ่านของบัญชี ${site} ของคุณ (${time})`,
      mail_changed: ({ site, time }) => `มีการเปลี่ยนอีเมลของบัญชี ${site} ของคุณ (${time})`,
      mail_removed: ({ site, time }) => `มีการลบอีเมลออกจากบัญชี ${site} ของคุณ (${time})`,
      phone_changed: ({ site, time }) => `มีการเปลี่ยนหมายเลขโทรศัพท์ของบัญชี ${site} ของคุณ (${time})`,
      phone_removed: ({ site, time }) => `มีการลบหมายเลขโทรศัพท์ออกจากบัญชี ${site} ของคุณ (${time})`,
      recovery_codes_made: ({ site, time }) => `มีการสร้างรหัสกู้คืนใหม่สำหรับบัญชี ${site} ของคุณ (${time})`,
      recovery_code_used: ({ site, time }) =>
        `มีการรีเซ็ตรหัสผ่านของบัญชี ${site} ของคุณด้วยรหัสกู้คืน (${time})`,
    },
    ifYou: 'หากเป็นคุณเอง ไม่ต้องทำอะไร',
    ifNotYou: (days) => `หากไม่ใช่คุณ โปรดรักษาความปลอดภัยบัญชีภายใน ${days} วัน โดยเปิดหน้านี้แล้วยืนยัน:`,
    button: 'รักษาความปลอดภัยบัญชี',
    effect:
      'ทุกอุปกรณ์จะออกจากระบบ พาสคีย์และรหัสกู้คืนที่เพิ่มหลังจากนั้นจะใช้ไม่ได้ อีเมลและหมายเลขโทรศัพท์เดิมจะกลับมา และคุณจะต้องตั้งรหัสผ่านใหม่',
  },
  'ko-KR': {
    subject: (site) => `${site} 계정이 변경되었습니다`,
    happened: {
      passkey_added: ({ site, time }) => `${site} 계정에 패스키가 추가되었습니다(${time}).`,
      passkey_removed: ({ site, time }) => `${site} 계정에서 패스키가 삭제되었습니다(${time}).`,
      password_reset: ({ site, time }) =>
        `인증번호로 ${site} 계정의 비밀번호가 재설정되었습니다(${time}).`,
      password_changed: ({ site, time }) => `${site} 계정의 비밀번호가 변경되었습니다(${time}).`,
      mail_changed: ({ site, time }) => `${site} 계정의 이메일 주소가 변경되었습니다(${time}).`,
      mail_removed: ({ site, time }) => `${site} 계정에서 이메일 주소가 삭제되었습니다(${time}).`,
      phone_changed: ({ site, time }) => `${site} 계정의 전화번호가 변경되었습니다(${time}).`,
      phone_removed: ({ site, time }) => `${site} 계정에서 전화번호가 삭제되었습니다(${time}).`,
      recovery_codes_made: ({ site, time }) =>
        `${site} 계정의 복구 코드가 새로 만들어졌습니다(${time}).`,
      recovery_code_used: ({ site, time }) =>
        `복구 코드로 ${site} 계정의 비밀번호가 재설정되었습니다(${time}).`,
    },
    ifYou: '본인이 변경했다면 아무것도 하지 않으셔도 됩니다.',
    ifNotYou: (days) =>
      `본인이 변경하지 않았다면 ${days}일 안에 계정을 보호해 주세요. 아래 페이지를 열고 확인해 주세요.`,
    button: '내 계정 보호하기',
    effect:
      '모든 기기에서 로그아웃되고 그 이후에 추가된 패스키와 복구 코드가 삭제되며 이전 이메일 주소와 전화번호가 복원됩니다. 그리고 새 비밀번호를 설정해야 합니다.',
  },
  'ja-JP': {
    subject: (site) => `【${site}】アカウントの変更のお知らせ`,
    happened: {
      passkey_added: ({ site, time }) =>
        `${site} のアカウントにパスキーが追加されました（${time}）。`,
      passkey_removed: ({ site, time }) =>
        `${site} のアカウントからパスキーが削除されました（${time}）。`,
      password_reset: ({ site, time }) =>
        `${site} のアカウントのパスワードが認証コードで再設定されました（${time}）。`,
      password_changed: ({ site, time }) =>
        `${site} のアカウントのパスワードが変更されました（${time}）。`,
      mail_changed: ({ site, time }) =>
        `${site} のアカウントのメールアドレスが変更されました（${time}）。`,
      mail_removed: ({ site, time }) =>
        `${site} のアカウントからメールアドレスが削除されました（${time}）。`,
      phone_changed: ({ site, time }) =>
        `${site} のアカウントの電話番号が変更されました（${time}）。`,
      phone_removed: ({ site, time }) =>
        `${site} のアカウントから電話番号が削除されました（${time}）。`,
      recovery_codes_made: ({ site, time }) =>
        `${site} のアカウントのリカバリーコードが新しく作成されました（${time}）。`,
      recovery_code_used: ({ site, time }) =>
        `${site} のアカウントのパスワードがリカバリーコードで再設定されました（${time}）。`,
    },
    ifYou: 'ご本人による操作の場合は、何もする必要はありません。',
    ifNotYou: (days) =>
      `お心当たりがない場合は、${days} 日以内にアカウントを保護してください。次のページを開いて確認してください。`,
    button: 'アカウントを保護する',
    effect:
      'すべての端末からログアウトし、その後に追加されたパスキーとリカバリーコードを削除して、以前のメールアドレスと電話番号を元に戻します。新しいパスワードの設定が必要になります。',
  },
  'vi-VN': {
    subject: (site) => `Tài khoản ${site} của bạn đã thay đổi`,
    happened: {
      passkey_added: ({ site, time }) =>
        `Một khóa truy cập đã được thêm vào tài khoản ${site} của bạn (${time}).`,
      passkey_removed: ({ site, time }) =>
        `Một khóa truy cập đã bị xóa khỏi tài khoản ${site} của bạn (${time}).`,
      password_reset: ({ site, time }) =>
        `Mật khẩu tài khoản ${site} của bạn đã được đặt lại bằng mã xác minh (${time}).`,
      password_changed: ({ site, time }) =>
        `Mật khẩu tài khoản ${site} của bạn đã được thay đổi (${time}).`,
      mail_changed: ({ site, time }) =>
        `Địa chỉ email của tài khoản ${site} của bạn đã được thay đổi (${time}).`,
      mail_removed: ({ site, time }) =>
        `Một địa chỉ email đã bị xóa khỏi tài khoản ${site} của bạn (${time}).`,
      phone_changed: ({ site, time }) =>
        `Số điện thoại của tài khoản ${site} của bạn đã được thay đổi (${time}).`,
      phone_removed: ({ site, time }) =>
        `Một số điện thoại đã bị xóa khỏi tài khoản ${site} của bạn (${time}).`,
      recovery_codes_made: ({ site, time }) =>
        `Mã khôi phục mới đã được tạo cho tài khoản ${site} của bạn (${time}).`,
      recovery_code_used: ({ site, time }) =>
        `Mật khẩu tài khoản ${site} của bạn đã được đặt lại bằng mã khôi phục (${time}).`,
    },
    ifYou: 'Nếu đó là bạn, bạn không cần làm gì.',
    ifNotYou: (days) =>
      `Nếu không phải bạn, hãy bảo vệ tài khoản trong vòng ${days} ngày. Mở trang này và xác nhận:`,
    button: 'Bảo vệ tài khoản của tôi',
    effect:
      'Mọi thiết bị sẽ bị đăng xuất, các khóa truy cập và mã khôi phục được thêm từ lúc đó sẽ bị xóa, email và số điện thoại trước đây sẽ trở lại và bạn cần đặt mật khẩu mới.',
  },
  'de-DE': {
    subject: (site) => `Ihr Konto bei ${site} wurde geändert`,
    happened: {
      passkey_added: ({ site, time }) =>
        `Zu Ihrem Konto bei ${site} wurde ein Passkey hinzugefügt (${time}).`,
      passkey_removed: ({ site, time }) =>
        `Aus Ihrem Konto bei ${site} wurde ein Passkey entfernt (${time}).`,
      password_reset: ({ site, time }) =>
        `Das Passwort Ihres Kontos bei ${site} wurde mit einem Code zurückgesetzt (${time}).`,
      password_changed: ({ site, time }) =>
        `Das Passwort Ihres Kontos bei ${site} wurde geändert (${time}).`,
      mail_changed: ({ site, time }) =>
        `Die E-Mail-Adresse Ihres Kontos bei ${site} wurde geändert (${time}).`,
      mail_removed: ({ site, time }) =>
        `Aus Ihrem Konto bei ${site} wurde eine E-Mail-Adresse entfernt (${time}).`,
      phone_changed: ({ site, time }) =>
        `Die Telefonnummer Ihres Kontos bei ${site} wurde geändert (${time}).`,
      phone_removed: ({ site, time }) =>
        `Aus Ihrem Konto bei ${site} wurde eine Telefonnummer entfernt (${time}).`,
      recovery_codes_made: ({ site, time }) =>
        `Für Ihr Konto bei ${site} wurden neue Wiederherstellungscodes erstellt (${time}).`,
      recovery_code_used: ({ site, time }) =>
        `Das Passwort Ihres Kontos bei ${site} wurde mit einem Wiederherstellungscode zurückgesetzt (${time}).`,
    },
    ifYou: 'Wenn Sie das waren, müssen Sie nichts tun.',
    ifNotYou: (days) =>
      `Wenn Sie das nicht waren, sichern Sie Ihr Konto innerhalb von ${days} Tagen. Öffnen Sie dazu diese Seite und bestätigen Sie:`,
    button: 'Mein Konto sichern',
    effect:
      'Damit werden alle Geräte abgemeldet, seither hinzugefügte Passkeys und Wiederherstellungscodes entfernt, Ihre frühere E-Mail-Adresse und Telefonnummer wiederhergestellt, und Sie legen ein neues Passwort fest.',
  },
};
