import { openShop } from './app.ts';
import { readConfig } from './config.ts';
import { sayReady, stopWhenTold } from './process.ts';
import { startWork } from './work.ts';

const config = readConfig();
const shop = await openShop(config, 'worker');
const stopWork = startWork(shop);
stopWhenTold({ exitWithParent: config.EXIT_WITH_PARENT }, async () => {
  await stopWork();
  await shop.close();
});
sayReady('worker');
