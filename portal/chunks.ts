// Few files instead of dozens of small ones: fewer round trips, and they compress better. What is in none
// of these goes with the page that needs it. Of a page, only what is seen at first is in its file.

const own = 'portal/src/';

export const chunks = [
  {
    // Changes only when a library does. What only some pages need of one comes with them.
    name: 'libraries',
    test: /node_modules\/(?!dompurify|jose|lucide-react|qr\/|@simplewebauthn|@tanstack\/.*([Ii]nfiniteQuery(?!Behavior)|[Qq]ueries))/,
    priority: 4,
  },
  // The calls of nearly every page, in two parts that take about as long to run: see later-scripts.ts. The
  // second needs the first and never the other way round.
  {
    name: 'calls',
    test: /contract\/src\/(accounts|analytics|arrivals|endpoint|environment|locales|money|names|sign-in)\./,
    priority: 4,
  },
  {
    name: 'shop-calls',
    test: /contract\/src\/(catalogue|characters|coupons|orders|payment-actions|payment-methods|points|promotions|site-config|support)\./,
    priority: 4,
  },
  {
    // What nearly every page needs.
    name: 'shell',
    test: anyOf(
      `${own}(api|config|i18n|session)/`,
      `${own}shell/(?!menu-sheet)`,
      `${own}ui/(?!clean-nodes)`,
      `${own}analytics/(pages|track|track-login)\\.`,
      `${own}login/(use-sign-in|returned|methods|seal)\\.`,
      `${own}characters/character-(bar|queries)\\.`,
      `${own}recharge/(recharge-queries|use-currency|pack|gift-text)\\.`,
      `${own}payment/order-queries\\.`,
      'lucide-react/.*/icons/(check|clock|package-check|refresh-cw|shield-check|undo-2)\\.',
    ),
    priority: 3,
  },
  { name: 'payment', test: anyOf(`${own}payment/(?!points-dialog|scan-code)`), priority: 2 },
  {
    name: 'top-up',
    test: anyOf(
      `${own}recharge/(?!balance-panel|coupon-sheet|method-sheet|pack-strip|point-packs|price-change-dialog|use-coupon-text)`,
    ),
    priority: 1,
  },
];

function anyOf(...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'));
}
