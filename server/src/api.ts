import { createApi, openShop } from './app.ts';
import { checkContent } from './content-checks.ts';
import { sayReady, stopWhenTold } from './process.ts';
import { readConfigToStart } from './start.ts';

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
