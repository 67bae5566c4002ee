import { accountScreens } from './account-screens.ts';
import { gameHubScreens } from './game-hub-screens.ts';
import { homeScreens } from './home-screens.ts';
import { loginScreens } from './login-screens.ts';
import { newsScreens } from './news-screens.ts';
import { orderScreens } from './order-screens.ts';
import { rechargeScreens } from './recharge-screens.ts';
import type { Screen } from './screen.ts';
import { shellScreens } from './shell-screens.ts';

/** Every page in every state: the list of the gallery and the walk. */
export const allScreens: readonly Screen[] = [
  ...loginScreens,
  ...homeScreens,
  ...rechargeScreens,
  ...orderScreens,
  ...accountScreens,
  ...newsScreens,
  ...gameHubScreens,
  ...shellScreens,
];
