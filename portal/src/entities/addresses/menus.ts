import { type PageRow, pages, pagesOf } from '@pointgate/contract/pages.ts';
import Coins from 'lucide-react/icons/coins';
import ReceiptText from 'lucide-react/icons/receipt-text';
import UserRound from 'lucide-react/icons/user-round';
import { useAddresses, useSiteKind } from './addresses.ts';

/** The text keys of links in the main menu. */
export type MainMenuText = Extract<PageRow, { mainMenu: string }>['mainMenu'];
type AccountMenuText = Extract<PageRow, { accountMenu: string }>['accountMenu'];

const accountIcons: Record<AccountMenuText, typeof Coins> = {
  'nav.accountInfo': UserRound,
  'titles.rechargeRecord': ReceiptText,
  'titles.epointRecord': Coins,
};

/** The links of the main menu, besides the account. */
export function useMainMenu(): { text: MainMenuText; to: string }[] {
  const { topUp } = useAddresses();
  return pagesOf(useSiteKind()).flatMap((row) =>
    'mainMenu' in row
      ? [{ text: row.mainMenu, to: row.path === pages.platform.topUp.path ? topUp : row.path }]
      : [],
  );
}

/** The links of the account menu. */
export function useAccountMenu() {
  return pagesOf(useSiteKind()).flatMap((row) =>
    'accountMenu' in row
      ? [{ text: row.accountMenu, to: row.path, Icon: accountIcons[row.accountMenu] }]
      : [],
  );
}
