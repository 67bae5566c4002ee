import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { collectPath, type LoggerKey } from '@pointgate/contract/analytics.ts';
import type { Envelope } from '@pointgate/contract/envelope.ts';
import { type SiteConfig, siteConfigElementId } from '@pointgate/contract/site-config.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ShownMethods } from '../money/routing/routing.ts';
import { AppError } from '../platform/errors.ts';
import { refused } from '../platform/http.ts';
import { type Site, type Sites, toSiteConfig } from '../publisher/sites/sites.ts';

/**
 * Allows the page's own scripts, and its inline scripts by their hashes; all others are blocked.
 */
const contentSecurityPolicy = (scripts: readonly string[], loggerUrl: string | null) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...elsewhere(loggerUrl)].join(' '),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

function inlineScriptsOf(page: string): string[] {
  return [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  });
}

/** The origin of an external logger. A malformed address is omitted. */
function elsewhere(loggerUrl: string | null): string[] {
  return /^https?:\/\/[\w.-]+(:\d+)?(?=\/|$)/.exec(loggerUrl ?? '')?.slice(0, 1) ?? [];
}

/**
 * Paths that monitors, browsers and search engines request. They must not be answered with the
 * page.
 */
const askedByPrograms = new Set(
  ['metrics', 'live', 'livez', 'ready', 'readyz', 'healthz', 'status', '.well-known']
    .concat(['robots.txt', 'favicon.ico', 'sitemap.xml', 'security.txt'])
    .map((name) => `/${name}`),
);

const placeholder = '<!--site-config-->';

/**
 * Serves the built portal: files as they are, and for all other paths the page with the config of
 * the requested host name. Without a folder only the config is served.
 */
export async function registerPortal(
  app: FastifyInstance,
  {
    sites,
    folder,
    isRehearsal,
    methodsOf,
    loggerKeyOf,
    hasWechatScan,
  }: {
    sites: Sites;
    folder: string | undefined;
    isRehearsal: boolean;
    /** The payment methods available to the visitor at the site. */
    methodsOf: (site: Site, headers: FastifyRequest['headers']) => Promise<ShownMethods>;
    /** A key for a new device; null if no events are collected. */
    loggerKeyOf: (siteId: string) => LoggerKey | null;
    /** Whether WeChat sign-in by QR code is available for this official account. */
    hasWechatScan: (wechatAppId: string | null) => boolean;
  },
): Promise<void> {
  const page =
    folder === undefined ? undefined : await readFile(join(folder, 'index.html'), 'utf8');
  const version = createHash('sha256')
    .update(page ?? 'development')
    .digest('hex')
    .slice(0, 12);
  const configOf = async ({ hostname, headers }: FastifyRequest): Promise<SiteConfig> => {
    const site = await sites.byHost(hostname.toLowerCase());
    if (site === undefined) throw new AppError('NotFound');
    const config = toSiteConfig(site, {
      version,
      isRehearsal,
      hasWechatScan: hasWechatScan(site.wechatAppId),
      ...(await methodsOf(site, headers)),
    });
    return withLogger(config, loggerKeyOf(site.siteId));
  };

  app.get('/config.json', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return await configOf(request);
  });
  if (folder === undefined || page === undefined) return;
  const scripts = inlineScriptsOf(page);

  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    // As a static file the page would have neither config nor security policy.
    globIgnore: ['index.html', '**/*.{br,gz}'],
    // The build has written compressed forms of each text file.
    preCompressed: true,
    // File names in assets/ contain a content hash.
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/');
      reply.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      );
    },
  });
  app.get('/*', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    // A missing file or call is answered with 404 and not with the page.
    if (/^\/(api|webhooks|assets|art|marks|locales|health|\.well-known)\//.test(path)) {
      throw new AppError('NotFound');
    }
    if (askedByPrograms.has(path)) throw new AppError('NotFound');
    const site = await configOf(request).catch(unavailable);
    const config = JSON.stringify(site).replaceAll('<', '\\u003c');
    const loggerUrl = 'gameInfo' in site ? site.gameInfo.customConfig.loggerUrl : null;
    reply.status('gameInfo' in site ? 200 : site.status);
    reply.header('content-security-policy', contentSecurityPolicy(scripts, loggerUrl));
    reply.header('cache-control', 'no-store');
    reply.header('vary', 'accept-encoding');
    reply.type('text/html; charset=utf-8');
    const element = `<script type="application/json" id="${siteConfigElementId}">${config}</script>`;
    const text = page.replace(placeholder, () => element);
    if (!acceptsBrotli(request.headers['accept-encoding'])) return text;
    reply.header('content-encoding', 'br');
    return await brotli(text, quickly);
  });
}

/** The refusal embedded in the page, which shows it in the player's language. */
function unavailable(error: unknown): Envelope {
  if (error instanceof AppError && error.code === 'SiteUnavailable') return refused(error.code);
  throw error;
}

const brotli = promisify(brotliCompress);
// The page is compressed for each visitor in a millisecond; the best quality would take fifteen.
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

function acceptsBrotli(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((coding) => /^\s*br\s*(;\s*q=(?!0(\.0*)?\s*$)|$)/.test(coding));
}

/** Events go to the shop itself, unless the site has an external logger. */
function withLogger(config: SiteConfig, loggerKey: LoggerKey | null): SiteConfig {
  if (loggerKey === null) return config;
  const { gameInfo } = config;
  const { customConfig } = gameInfo;
  const loggerUrl = customConfig.loggerUrl ?? collectPath;
  return {
    ...config,
    gameInfo: { ...gameInfo, customConfig: { ...customConfig, loggerUrl, loggerKey } },
  };
}
