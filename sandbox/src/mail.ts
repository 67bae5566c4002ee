import { createMailServer } from './mail/server.ts';
import { runProgram } from './platform/program.ts';

const { env } = process;
const given = (key: string) => (env[key] === '' ? undefined : env[key]);

await runProgram({
  service: 'mail',
  env,
  app: createMailServer({
    host: env.HOST ?? '127.0.0.1',
    smtpPort: Number(env.SMTP_PORT ?? 0),
    /** `name:password`; without it everybody may send. */
    account: given('SMTP_ACCOUNT'),
    tlsFiles: { key: given('SMTP_TLS_KEY_FILE'), cert: given('SMTP_TLS_CERT_FILE') },
    dataFile: given('DATA_FILE'),
    /** What customer service knows links of the shop by; without it there is none. */
    deskSecret: given('DESK_SECRET'),
  }),
});
