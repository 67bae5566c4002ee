import { open, type Screen, screensOf } from './screen.ts';

const states = screensOf('Platform', 'aveline', {
  home: (stage) => open(stage, '/dream/home'),
  'home, loading': async (stage) => {
    await stage.hold(/\/api\/(game|character)\//);
    await open(stage, '/dream/home');
  },
  'a game to top up': (stage) => open(stage, '/dream/recharge/lantern-court'),
  'a game that is not there': (stage) => open(stage, '/dream/recharge/nothing'),
  'E Points': (stage) => open(stage, '/dream/epoint'),
  'no orders yet': (stage) => open(stage, '/dream/order'),
  'no such order': (stage) => open(stage, '/dream/order/detail'),
  'E Point record': (stage) => open(stage, '/dream/account/epoint'),
  'account info': (stage) => open(stage, '/dream/account/user'),
});

export const platformScreens: Screen[] = states.map((screen) => ({ ...screen, site: 'platform' }));
