import type { ListedGame } from '@pointgate/contract/catalogue.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import { serverStatus } from '@pointgate/contract/named-numbers.ts';
import { System } from '@pointgate/contract/names.ts';
import { textIn } from '../platform/local-text.ts';
import type { Site } from '../publisher/sites/sites.ts';
import type { Catalogue } from './catalogue.ts';

/** The games of a site in its order, without games in which nothing is for sale. */
export async function listGames(
  catalogue: Catalogue,
  site: Site,
  locale: Locale,
): Promise<ListedGame[]> {
  const listed = await Promise.all(
    site.gameIds.map((gameId) => listGame(catalogue, { site, gameId, locale })),
  );
  return listed.filter((game) => game !== undefined);
}

async function listGame(
  catalogue: Catalogue,
  { site, gameId, locale }: { site: Site; gameId: string; locale: Locale },
): Promise<ListedGame | undefined> {
  const game = await catalogue.game(gameId);
  const places = await Promise.all(
    System.options.map(async (system) => ({
      system,
      servers: await catalogue.servers({ gameId, system }),
    })),
  );
  const systems = places.flatMap(({ system, servers }) => (servers.length > 0 ? [system] : []));
  const sold = systems.map((system) => isSomethingSold(catalogue, { site, gameId, system }));
  if (game === undefined || !(await Promise.all(sold)).includes(true)) return undefined;
  return {
    gameId,
    name: textIn(game.name, locale),
    subtitle: textIn(game.subtitle, locale),
    theme: game.theme,
    systems,
    isInMaintenance: places.every(({ servers }) =>
      servers.every(({ status }) => status === serverStatus.maintenance),
    ),
  };
}

/** Whether an item is for sale in any currency of the site. */
export async function isSomethingSold(
  catalogue: Catalogue,
  { site, ...key }: { site: Site; gameId: string; system: System },
): Promise<boolean> {
  for (const currency of site.currencies) {
    const groups = await catalogue.itemOffers({ ...key, currency, country: site.priceCountry });
    if (groups.some(({ offers }) => offers.length > 0)) return true;
  }
  return false;
}
