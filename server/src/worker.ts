import { openShop } from './app.ts';
import { sayReady, stopWhenTold } from './process.ts';
import { readConfigToStart } from './start.ts';
import { startWork } from './work.ts';

const config = await readConfigToStart();
const shop = await openShop(config, 'worker');
const stopWork = startWork(shop);
stopWhenTold({ exitWithParent: config.EXIT_WITH_PARENT }, async () => {
  await stopWork();
  await shop.close();
});
sayReady('worker');
