import { openShop } from './wiring/app.ts';
import { createHealthServer } from './wiring/health.routes.ts';
import { sayReady, stopWhenTold } from './wiring/process.ts';
import { readConfigToStart } from './wiring/start.ts';
import { startWork } from './wiring/work.ts';

const config = await readConfigToStart();
const shop = await openShop(config, 'worker');
const stopWork = startWork(shop);
const health = createHealthServer(shop);
const healthUrl =
  config.HEALTH_PORT === undefined
    ? undefined
    : await health.listen({ host: config.HOST, port: config.HEALTH_PORT });
stopWhenTold(config, shop.stopping, async () => {
  await stopWork();
  await health.close();
  await shop.close();
});
sayReady('worker', { healthUrl });
