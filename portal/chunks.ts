// A few chunks instead of dozens of small ones: fewer round trips and better compression. Modules
// in none of these groups go with the page that needs them. Dialogs of a page are loaded later.

const own = 'portal/src/';

export const chunks = [
  {
    // Changes only with a library update. Library code of single pages goes with those pages.
    name: 'libraries',
    test: /node_modules\/(?!dompurify|jose|lucide-react|qr\/|@simplewebauthn|@tanstack\/.*([Ii]nfiniteQuery(?!Behavior)|[Qq]ueries))/,
    priority: 4,
  },
  // The API calls of nearly every page, in two chunks that take about equally long to run, see
  // later-scripts.ts. The second imports the first, never the other way round.
  {
    name: 'calls',
    test: /contract\/src\/(accounts|analytics|arrivals|endpoint|environment|locales|money|names|pages|sign-in)\./,
    priority: 4,
  },
  {
    name: 'shop-calls',
    test: /contract\/src\/(catalogue|characters|coupons|orders|payment-actions|payment-methods|points|promotions|site-config|support)\./,
    priority: 4,
  },
  {
    // Modules that nearly every page needs.
    name: 'shell',
    test: anyOf(
      `${own}shared/(api|browser|config|i18n)/`,
      `${own}entities/(session/|addresses/page-)`,
      `${own}app/shell/(?!menu-sheet)`,
      `${own}shared/ui/(?!clean-nodes)`,
      `${own}shared/analytics/(pages|track|track-login)\\.`,
      `${own}(entities/credentials/(use-sign-in|methods|seal)|features/login/returned)\\.`,
      `${own}entities/characters/character-(bar|queries)\\.`,
      `${own}features/recharge/(recharge-queries|use-currency|pack|gift-text)\\.`,
      `${own}entities/payment/order-queries\\.`,
      'lucide-react/.*/icons/(check|clock|package-check|refresh-cw|shield-check|undo-2)\\.',
    ),
    priority: 3,
  },
  {
    name: 'payment',
    test: anyOf(`${own}entities/payment/(?!points-dialog|scan-code)`),
    priority: 2,
  },
  {
    name: 'top-up',
    test: anyOf(
      `${own}features/recharge/(?!balance-panel|coupon-sheet|method-sheet|pack-strip|point-packs|price-change-dialog|use-coupon-text)`,
    ),
    priority: 1,
  },
];

function anyOf(...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'));
}
