/** Demo passwords are not secret; the accounts cannot be reached from outside the machine. */
export const demoPlayers = [
  {
    loginName: 'aveline',
    email: 'aveline@example.com',
    // From a reserved range that no phone uses and that still counts as mobile.
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

/** Only the first player has real-name data, to show masked and missing data. */
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
