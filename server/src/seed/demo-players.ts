/** Passwords of a demo are no secret; nobody can reach these accounts from outside the machine. */
export const demoPlayers = [
  {
    loginName: 'aveline',
    email: 'aveline@example.com',
    // Both from the range that no phone ever has; of those, few countries' count as mobile.
    phone: '+12025550123',
    password: 'Dawn-58-reach',
    displayName: 'Aveline',
  },
  {
    loginName: 'kaito',
    email: 'kaito@example.com',
    phone: '+12025550148',
    password: 'Tide-41-hollow',
    displayName: 'Kaito',
  },
] as const;

/** Of the first player, so that there is something to be seen masked; of the other one nothing is known. */
export const demoRealNames: Readonly<Record<string, object>> = {
  aveline: {
    fullName: 'Aveline Marsh',
    address: '12 Harbour Street, Port Solace',
    phone: '+12025550123',
    email: 'aveline@example.com',
    birthday: '1998-04-12',
    identityNumber: 'D400-7836-0001',
    approvalDate: '2026-02-03',
    approvalRegion: 'US',
  },
};
