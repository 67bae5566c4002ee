import { said } from './orders.ts';
import { open, type Screen, says, screensOf } from './screen.ts';

const states = screensOf('Platform', 'aveline', {
  home: (stage) => open(stage, '/dream/home'),
  'home, loading': async (stage) => {
    await stage.hold(/\/api\/(game|character)\//);
    await open(stage, '/dream/home');
  },
  'a game to top up': (stage) => open(stage, '/dream/recharge/lantern-court'),
  'a game that is not there': async (stage) => {
    await open(stage, '/dream/recharge/nothing');
    await says(stage, 'This game is not here, or not any more');
  },
  'a game that is not on iOS': async (stage) => {
    await stage.retell(/\/api\/game\/list/, withoutIos);
    await open(stage, '/dream/recharge/ironvale?system=ios');
    await says(stage, 'Not Available in iOS');
  },
  news: (stage) => open(stage, '/dream/event'),
  'E Points': (stage) => open(stage, '/dream/epoint'),
  orders: async (stage) => {
    await stage.orders();
    await open(stage, '/dream/order');
  },
  'no orders yet': { viewer: 'kaito', arrange: (stage) => open(stage, '/dream/order') },
  'an order': async (stage) => {
    const { points } = await stage.orders();
    await open(stage, `/dream/order/detail?paymentId=${points}`);
    await said(stage.page, 'Fulfilled');
  },
  'no such order': async (stage) => {
    await open(stage, '/dream/order/detail');
    await says(stage, 'Payment order number is wrong');
  },
  'E Point record': (stage) => open(stage, '/dream/account/epoint'),
  'account info': (stage) => open(stage, '/dream/account/user'),
});

export const platformScreens: Screen[] = states.map((screen) => ({ ...screen, site: 'platform' }));

function withoutIos(data: object): object {
  const { games } = data as { games: object[] };
  return { ...data, games: games.map((game) => ({ ...game, systems: ['android'] })) };
}
