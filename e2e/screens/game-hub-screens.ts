import { waitForStatus } from './orders.ts';
import { open, type Screen, screensOf, waitForText } from './screen.ts';

const states = screensOf('Platform', 'aveline', {
  home: (testPage) => open(testPage, '/dream/home'),
  'home, loading': async (testPage) => {
    await testPage.hold(/\/api\/(game|character)\//);
    await open(testPage, '/dream/home');
  },
  'a game to top up': (testPage) => open(testPage, '/dream/recharge/lantern-court'),
  'a game that is not there': async (testPage) => {
    await open(testPage, '/dream/recharge/nothing');
    await waitForText(testPage, 'This game is not here, or not any more');
  },
  'a game that is not on iOS': async (testPage) => {
    await testPage.modifyReplies(/\/api\/game\/list/, withoutIos);
    await open(testPage, '/dream/recharge/ironvale?system=ios');
    await waitForText(testPage, 'Not Available in iOS');
  },
  news: (testPage) => open(testPage, '/dream/event'),
  'E Points': (testPage) => open(testPage, '/dream/epoint'),
  orders: async (testPage) => {
    await testPage.orders();
    await open(testPage, '/dream/order');
  },
  'no orders yet': { viewer: 'kaito', arrange: (testPage) => open(testPage, '/dream/order') },
  'an order': async (testPage) => {
    const { points } = await testPage.orders();
    await open(testPage, `/dream/order/detail?paymentId=${points}`);
    await waitForStatus(testPage.page, 'Fulfilled');
  },
  'no such order': async (testPage) => {
    await open(testPage, '/dream/order/detail');
    await waitForText(testPage, 'Payment order number is wrong');
  },
  'E Point record': (testPage) => open(testPage, '/dream/account/epoint'),
  'account info': (testPage) => open(testPage, '/dream/account/user'),
});

export const gameHubScreens: Screen[] = states.map((screen) => ({ ...screen, site: 'hub' }));

function withoutIos(data: object): object {
  const { games } = data as { games: object[] };
  return { ...data, games: games.map((game) => ({ ...game, systems: ['android'] })) };
}
