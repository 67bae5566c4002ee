// PostgreSQL and Redis for development, until stopped: npm run services
import { fileURLToPath } from 'node:url';
import { stopSignal } from './process/stop-signal.ts';
import { startServices } from './services/start-services.ts';

const dataDir = fileURLToPath(new URL('../.pointgate/services', import.meta.url));
const asked = stopSignal();
try {
  const services = await startServices({ dataDir, durable: true });
  const { databaseUrl, redisUrl } = services;
  process.stdout.write(`${JSON.stringify({ databaseUrl, redisUrl })}\n`);
  const failure = await Promise.race([asked.then(() => undefined), services.failed]);
  await services.stop();
  if (failure !== undefined) throw new Error(failure);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
