import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

type Kept = { model: string; payload: AdapterPayload; expiresAt: number };

/** Keeps the codes and tokens of an issuer in memory, for the lifetime of the process. */
export function createOidcStore(): { adapter: AdapterFactory; expireCodes(): void } {
  const kept = new Map<string, Kept>();

  function adapter(model: string): Adapter {
    const keyOf = (id: string) => `${model}:${id}`;
    const live = (entry: Kept | undefined) =>
      entry !== undefined && entry.expiresAt > Date.now() ? entry.payload : undefined;
    const findWhere = (fits: (payload: AdapterPayload) => boolean) =>
      live([...kept.values()].find((entry) => entry.model === model && fits(entry.payload)));
    return {
      upsert: async (id, payload, expiresIn) => {
        const expiresAt = Date.now() + (expiresIn ?? 3_600) * 1_000;
        kept.set(keyOf(id), { model, payload, expiresAt });
      },
      find: async (id) => live(kept.get(keyOf(id))),
      findByUid: async (uid) => findWhere((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => findWhere((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const entry = kept.get(keyOf(id));
        if (entry !== undefined) entry.payload.consumed = Math.floor(Date.now() / 1_000);
      },
      destroy: async (id) => {
        kept.delete(keyOf(id));
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key);
      },
    };
  }

  return {
    adapter,
    expireCodes: () => {
      for (const entry of kept.values()) {
        if (entry.model === 'AuthorizationCode') entry.expiresAt = 0;
      }
    },
  };
}
