import { readFileSync } from 'node:fs';
import { type FastifyInstance, fastify } from 'fastify';
import { keepBodiesAsText } from '../platform/requests.ts';
import { registerControlRoutes } from './control.routes.ts';
import { registerDeskRoutes } from './desk.routes.ts';
import { createMailbox } from './mailbox.ts';
import { createSmtp } from './smtp.ts';

/**
 * A mail server with an inbox page, and the customer service desk. SMTP listens before the program
 * reports that it is ready.
 */
export function createMailServer(input: {
  host: string;
  smtpPort: number;
  account: string | undefined;
  tlsFiles: { key: string | undefined; cert: string | undefined };
  dataFile: string | undefined;
  deskSecret: string | undefined;
}): FastifyInstance {
  const { host, smtpPort, account } = input;
  const app = fastify({ forceCloseConnections: true });
  const mailbox = createMailbox(input.dataFile);
  const smtp = createSmtp(mailbox, { host, smtpPort, account, tls: readTls(input.tlsFiles) });
  keepBodiesAsText(app);
  registerControlRoutes(app, { mailbox, smtp });
  registerDeskRoutes(app, input.deskSecret);
  app.addHook('onReady', () => smtp.listen());
  app.addHook('preClose', async () => mailbox.ending.abort());
  app.addHook('onClose', async () => {
    await smtp.close();
    mailbox.db.close();
  });
  return app;
}

function readTls({ key, cert }: { key: string | undefined; cert: string | undefined }) {
  if (key === undefined || cert === undefined) return undefined;
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}
