import { z } from 'zod';
import { sql } from '../src/platform/db.ts';
import { givenMember, type TestMember, testBrowserCookie } from './codes.ts';
import { personEnvironment } from './people.ts';
import { eventually, openTestShop, type Reply, seal, send, type TestShop } from './shop.ts';
import { type Outsider, startOutsider } from './world.ts';

const Mails = z.object({ messages: z.array(z.object({ subject: z.string(), text: z.string() })) });

/** A shop that sends mail to its players, with their mailboxes. */
export interface OwnerWorld {
  shop: TestShop;
  mail: Outsider;
  /** The mail settings of the shop. */
  environment: Record<string, string>;
  /** The mails to a member, newest first. */
  mailsTo(member: Pick<TestMember, 'email'>): Promise<{ subject: string; text: string }[]>;
  /** The text of the first mail to a member with these words. */
  mailSaying(member: TestMember, words: string): Promise<string>;
  /** Signs in with mail address and password. */
  trySignIn(member: TestMember, language?: string, at?: TestShop): Promise<Reply>;
  signIn(member: TestMember, language?: string, at?: TestShop): Promise<string>;
  /** Makes a call with an encrypted body. */
  sealed(cookie: string | undefined, path: string, payload: Payload): Promise<Reply>;
  /** Resets the password with a mailed code. */
  resetPassword(member: TestMember, password: string): Promise<Reply>;
  stop(): Promise<void>;
}

type Payload = Record<string, unknown>;

export async function openOwnerWorld(): Promise<OwnerWorld> {
  const mail = await startOutsider('mail', {});
  const { smtp } = z.object({ smtp: z.url() }).parse(await mail.ask('/__sandbox/health'));
  const environment = {
    SMTP_URL: smtp,
    MAIL_FROM: 'no-reply@solmere.test',
    ...personEnvironment(),
  };
  const shop = await openTestShop({ LOG_LEVEL: 'silent', TRUST_PROXY: '1', ...environment });
  shop.startWorker();
  let networks = 0;

  const mailsTo: OwnerWorld['mailsTo'] = async ({ email }) => {
    const path = `/__sandbox/messages?to=${encodeURIComponent(email)}`;
    return Mails.parse(await mail.ask(path)).messages;
  };
  const trySignIn: OwnerWorld['trySignIn'] = async (
    { email, password },
    language = 'en-US',
    at = shop,
  ) => {
    const path = '/api/user/login';
    const credentials = { method: 'EMAIL_PASSWORD_AUTH', email, password };
    const body = { data: await seal(shop, path, credentials) };
    return await send(at, path, { body, headers: { 'accept-language': language } });
  };
  return {
    shop,
    mail,
    environment,
    mailsTo,
    mailSaying: async (member, words) => {
      const found = await eventually(async () =>
        (await mailsTo(member)).find(({ text }) => text.includes(words)),
      );
      return found.text;
    },
    trySignIn,
    signIn: async (member, language, at) => {
      const { cookie } = await trySignIn(member, language, at);
      if (cookie === undefined) throw new Error('the sign-in set no cookie');
      return cookie;
    },
    sealed: async (cookie, path, payload) =>
      await send(shop, path, { body: { data: await seal(shop, path, payload) }, cookie }),
    resetPassword: async (member, password) => {
      const { email } = member;
      // The first code request from a network needs no proof of work.
      networks += 1;
      const headers = { 'x-forwarded-for': `203.0.${networks}.9` };
      const call = (path: string, body: object) =>
        send(shop, path, { body, cookie: testBrowserCookie, headers });
      const codesOf = async () =>
        (await mailsTo(member)).flatMap(({ text }) => /^\d{6}$/m.exec(text) ?? []);
      const before = (await codesOf()).length;
      await forgetLimits(shop);
      await call('/api/user/email/code/send', {
        email,
        purpose: 'password_forget_email',
        proof: null,
      });
      const code = await eventually(async () => {
        const codes = await codesOf();
        return codes.length > before && codes[0];
      });
      const path = '/api/user/email/psw/reset';
      return await call(path, { data: await seal(shop, path, { email, code, password }) });
    },
    stop: async () => {
      await shop.closeAll();
      await mail.stop();
    },
  };
}

/** Resets the rate limits, as after a day, because all tests come from one network. */
export async function forgetLimits({ db }: Pick<TestShop, 'db'>): Promise<void> {
  await db.transaction((tx) => tx.run(sql`delete from limit_counters`));
}

/** A member who has just signed in. */
export async function givenSignedIn(
  world: OwnerWorld,
): Promise<{ member: TestMember; cookie: string }> {
  await forgetLimits(world.shop);
  const member = await givenMember(world.shop.db);
  return { member, cookie: await world.signIn(member) };
}
