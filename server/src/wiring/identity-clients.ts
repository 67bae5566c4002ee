import { z } from 'zod';

/** Clients at identity providers. The provider's host can be replaced for development. */
export const GoogleClient = z.strictObject({
  id: z.string().min(1),
  secret: z.string().min(1),
  issuer: z.url().optional(),
});
export const AppleClient = z.strictObject({
  clientId: z.string().min(1),
  teamId: z.string().min(1),
  keyId: z.string().min(1),
  privateKey: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
  issuer: z.url().optional(),
});
export const FacebookClient = z.strictObject({
  appId: z.string().regex(/^\d+$/),
  appSecret: z.string().min(1),
  base: z.url().optional(),
});
export const WechatClient = z.strictObject({
  secret: z.string().min(1),
  web: z.strictObject({ appId: z.string().min(1), secret: z.string().min(1) }).optional(),
  base: z.url().optional(),
});

/** Settings that replace a provider's own host. */
export function providersElsewhere(config: {
  GOOGLE_CLIENT?: z.output<typeof GoogleClient> | undefined;
  APPLE_CLIENT?: z.output<typeof AppleClient> | undefined;
  FACEBOOK_CLIENT?: z.output<typeof FacebookClient> | undefined;
  WECHAT_CLIENTS?: Record<string, z.output<typeof WechatClient>> | undefined;
}): string[][] {
  return [
    ...(config.GOOGLE_CLIENT?.issuer === undefined ? [] : [['GOOGLE_CLIENT', 'issuer']]),
    ...(config.APPLE_CLIENT?.issuer === undefined ? [] : [['APPLE_CLIENT', 'issuer']]),
    ...(config.FACEBOOK_CLIENT?.base === undefined ? [] : [['FACEBOOK_CLIENT', 'base']]),
    ...Object.entries(config.WECHAT_CLIENTS ?? {})
      .filter(([, { base }]) => base !== undefined)
      .map(([appId]) => ['WECHAT_CLIENTS', appId, 'base']),
  ];
}
