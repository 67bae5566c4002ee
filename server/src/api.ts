import { createApi, openShop } from './wiring/app.ts';
import { checkContent } from './wiring/content-checks.ts';
import { sayReady, stopWhenTold } from './wiring/process.ts';
import { readConfigToStart } from './wiring/start.ts';

const config = await readConfigToStart();
const shop = await openShop(config, 'api');
await checkContent(shop);
const api = await createApi(shop);
const url = await api.listen({ host: config.HOST, port: config.PORT });
stopWhenTold(config, shop.stopping, async () => {
  await api.close();
  await shop.close();
});
sayReady('api', { url });
