/** Each is a file of drills/. */
export const drills = ['races', 'webhooks', 'kills'] as const;
