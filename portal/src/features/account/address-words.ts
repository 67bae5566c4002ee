/** The words for each kind of address. */
export const addressWords = {
  EMAIL: {
    name: 'login.email',
    add: 'security.addEmail',
    change: 'security.changeEmail',
    saved: 'security.emailSaved',
    remove: 'security.removeEmail',
    removed: 'security.emailRemoved',
  },
  MOBILE: {
    name: 'login.phone',
    add: 'security.addPhone',
    change: 'security.changePhone',
    saved: 'security.phoneSaved',
    remove: 'security.removePhone',
    removed: 'security.phoneRemoved',
  },
} as const;
