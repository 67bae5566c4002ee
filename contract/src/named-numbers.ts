// Names for numbers of the specification. Without imports, so that browsers load nothing else with them.

/** The status of a game server. */
export const serverStatus = { open: 0, maintenance: 1 } as const;

/** The kind of a site: for one game, or a game hub. */
export const domainTypes = { game: 0, hub: 1 } as const;
